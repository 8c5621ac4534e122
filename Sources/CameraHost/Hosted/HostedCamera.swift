import Devices
import Synchronization

/// A camera that another process has opened.
///
/// When that process is gone, ``start(_:)`` opens the camera again in the next process. Leases stay
/// readable.
final class HostedCamera: Camera {
  /// The place where the camera is open.
  struct Place: Sendable {
    /// The camera's number in its process.
    var number: Int
    /// The connection to the camera's process.
    var connection: HostConnection
  }

  let identity: CameraDescription
  /// The camera system, kept alive because its process ends with it.
  private let system: HostedCameraSystem
  private let state: Mutex<State>

  private struct State {
    var place: Place
    var stream: Int?
    var isClosed = false
    /// The longest frame or exposure that was requested since the stream started.
    var frame = Duration.zero
    /// The latest capabilities of the camera.
    var capabilities: CameraCapabilities
  }

  init(
    identity: CameraDescription, place: Place, capabilities: CameraCapabilities,
    system: HostedCameraSystem
  ) {
    self.identity = identity
    self.system = system
    state = Mutex(State(place: place, capabilities: capabilities))
  }

  deinit {
    guard !state.withLock({ $0.isClosed }) else { return }
    end(nil)
    place.connection.abandon(place.number)
  }

  private var place: Place { state.withLock { $0.place } }

  private var number: Int { place.number }

  private var connection: HostConnection { place.connection }

  func resolve(
    _ configuration: StreamConfiguration
  ) async throws(DeviceError) -> ResolvedStreamConfiguration {
    let outcome = await connection.call(
      .resolve(camera: number, configuration: configuration), of: identity.id, frame: frame)
    guard case .answer(.resolved(let resolved)) = outcome else { throw error(of: outcome) }
    return resolved
  }

  func start(_ configuration: StreamConfiguration) async throws(DeviceError) -> CameraStream {
    try await openAnewIfLost()
    let (number, connection) = (place.number, place.connection)
    let (stream, events) = connection.makeStream(of: identity.id)
    noteFrame(configuration.longestFrame)
    let outcome = await connection.call(
      .start(camera: number, stream: stream, configuration: configuration), of: identity.id,
      frame: frame)
    guard case .answer(.resolved(let resolved)) = outcome else {
      connection.endStream(stream)
      end(nil)
      throw system.named(error(of: outcome))
    }
    end(stream)
    // The previous stream has ended with its frames.
    state.withLock {
      $0.frame = max(configuration.longestFrame, resolved.frameDuration ?? .zero)
    }
    // The lease that maps a buffer is one more than the camera has promised.
    if resolved.bufferCount - resolved.leasedFrameCount >= UnmappedBuffers.leastRing {
      connection.mapBuffers(
        of: stream, UnmappedBuffers(camera: number, count: resolved.bufferCount))
    }
    return CameraStream(configuration: resolved, events: events)
  }

  func lease(_ id: UInt64) async -> FrameLease? {
    guard let stream = state.withLock({ $0.stream }) else { return nil }
    let outcome = await connection.call(
      .lease(camera: number, stream: stream, frame: id), of: identity.id, frame: frame)
    guard case .lease(let lease, let memory, let rawMemory, let previewMemory) = outcome else {
      return nil
    }
    var raw: RawFrame?
    if let hosted = lease.raw, let rawMemory {
      raw = RawFrame(
        format: hosted.format, properties: hosted.properties,
        memory: HostedSideMemory(rawMemory, offset: hosted.offset, byteCount: hosted.byteCount))
    }
    var preview: PreviewImage?
    if let hosted = lease.preview, let previewMemory {
      preview = PreviewImage(
        format: hosted.format,
        memory: HostedSideMemory(
          previewMemory, offset: hosted.offset, byteCount: hosted.byteCount))
    }
    return FrameLease(
      info: lease.info, format: lease.format,
      buffer: HostedFrameBuffer(memory: memory, lease: lease, connection: connection), raw: raw,
      preview: preview)
  }

  func setFrameRate(_ frameRate: Double) async throws(DeviceError) -> Duration {
    let outcome = await connection.call(
      .setFrameRate(camera: number, frameRate: frameRate), of: identity.id, frame: frame)
    if frameRate > 0.001 { noteFrame(.seconds(1 / frameRate)) }
    guard case .answer(.frameDuration(let applied)) = outcome else { throw error(of: outcome) }
    noteFrame(applied)
    return applied
  }

  /// The camera's capabilities; the latest known ones when the process is gone.
  var capabilities: CameraCapabilities {
    get async {
      let outcome = await connection.call(
        .capabilities(camera: number), of: identity.id, frame: frame)
      return state.withLock { state in
        if case .answer(.capabilities(let told)) = outcome { state.capabilities = told }
        return state.capabilities
      }
    }
  }

  func setControls(_ controls: CameraControls) async throws(DeviceError) {
    let outcome = await connection.call(
      .setControls(camera: number, controls: controls), of: identity.id, frame: frame)
    noteFrame(controls.longestExposure)
    guard case .answer(.done) = outcome else { throw error(of: outcome) }
  }

  func stop() async {
    _ = await connection.call(.stop(camera: number), of: identity.id, frame: frame)
    end(nil)
  }

  func close() async {
    state.withLock { $0.isClosed = true }
    _ = await connection.call(.close(camera: number), of: identity.id, frame: frame)
    end(nil)
  }

  private var frame: Duration { state.withLock { $0.frame } }

  private func noteFrame(_ duration: Duration) {
    state.withLock { $0.frame = max($0.frame, duration) }
  }

  /// Opens the camera in a new process when its process has ended.
  private func openAnewIfLost() async throws(DeviceError) {
    let isLost = state.withLock { !$0.isClosed && !$0.place.connection.isUsable }
    guard isLost else { return }
    end(nil)
    let fresh = try await system.place(of: identity.id).place
    let isClosed = state.withLock { state in
      if !state.isClosed { state.place = fresh }
      return state.isClosed
    }
    if isClosed { fresh.connection.abandon(fresh.number) }
  }

  /// Replaces the running stream with another stream or none.
  private func end(_ next: Int?) {
    let old = state.withLock { state in
      defer { state.stream = next }
      return state.stream
    }
    if let old { connection.endStream(old) }
  }

  private func error(of outcome: HostConnection.Outcome) -> DeviceError {
    connection.error(of: outcome, device: identity.id)
  }
}

extension HostConnection {
  /// Makes the error of a call without the expected answer.
  ///
  /// The process of a library that needs a new process is killed, and the error reports the cause.
  /// A lost camera is no hanging camera.
  func error(of outcome: Outcome, device: String) -> DeviceError {
    switch outcome {
    case .failure(let error): return error
    case .answer(.failure(let error)) where error.code == .needsNewProcess:
      finish(.used(error))
      return DeviceError(
        error.codeOfUse, device: error.device, problem: error.problem,
        cause: (error.cause.map { "\($0); " } ?? "") + "its process is replaced")
    case .answer(.failure(let error)): return error
    case .answer, .lease:
      finish(.malformed("an answer to another call"))
      return DeviceError(
        .inputOutput, device: device, problem: "gave a wrong answer",
        cause: "the camera process was killed")
    }
  }
}
