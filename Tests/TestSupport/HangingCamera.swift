package import Devices
import Synchronization

/// A camera with one call that does not return until it is released.
///
/// The camera is its own camera system and lists one camera or none. Its stream has only the events
/// given to ``send(_:)``.
package final class HangingCamera: CameraSystem, Camera {
  /// The calls that can hang.
  package enum Call: String, Sendable, CaseIterable {
    case list, open, resolve, start, setFrameRate, lease, stop, close
  }

  private struct State {
    var isReleased = false
    var held: [CheckedContinuation<Void, Never>] = []
    var events: CameraEvents?
    var openedIDs: [CameraDescription.ID] = []
    var closeCount = 0
    var isShutDown = false
  }

  /// See ``Camera``.
  package let identity = CameraDescription(id: "hanging", model: "fake")
  /// A stream with an element whenever the call begins to hang.
  package let hangs: AsyncStream<Void>
  private let reportHang: AsyncStream<Void>.Continuation
  private let call: Call
  private let isListed: Bool
  private let change: @Sendable (inout ResolvedStreamConfiguration) -> Void
  private let state = Mutex(State())

  /// Makes a camera.
  ///
  /// - Parameters:
  ///   - call: the call that hangs.
  ///   - isListed: whether the system lists the camera.
  ///   - change: a closure that changes the configuration to which the camera resolves a stream.
  package init(
    in call: Call, isListed: Bool = true,
    change: @escaping @Sendable (inout ResolvedStreamConfiguration) -> Void = { _ in }
  ) {
    self.call = call
    self.change = change
    self.isListed = isListed
    (hangs, reportHang) = AsyncStream.makeStream()
  }

  /// Lets the call return, now and from now on.
  package func release() {
    let held = state.withLock { state in
      state.isReleased = true
      defer { state.held = [] }
      return state.held
    }
    for continuation in held { continuation.resume() }
  }

  /// The IDs that ``open(_:)`` was called with.
  package var openedIDs: [CameraDescription.ID] { state.withLock { $0.openedIDs } }

  /// Whether the call hangs now.
  package var isHanging: Bool { state.withLock { !$0.held.isEmpty } }

  /// Whether the camera system has been shut down.
  package var isShutDown: Bool { state.withLock { $0.isShutDown } }

  /// The number of times that the camera was closed.
  package var closeCount: Int { state.withLock { $0.closeCount } }

  /// Sends an event on the running stream.
  package func send(_ event: CameraEvent) {
    state.withLock { $0.events }?.send(event)
  }

  private func enter(_ entered: Call) async {
    guard entered == call else { return }
    await withCheckedContinuation { continuation in
      let isReleased = state.withLock { state in
        if !state.isReleased { state.held.append(continuation) }
        return state.isReleased
      }
      if isReleased { continuation.resume() } else { reportHang.yield() }
    }
  }

  /// See ``CameraSystem``.
  package func cameras() async throws(DeviceError) -> [CameraDescription] {
    await enter(.list)
    return isListed ? [identity] : []
  }

  /// See ``CameraSystem``.
  package func open(_ id: CameraDescription.ID) async throws(DeviceError) -> any Camera {
    state.withLock { $0.openedIDs.append(id) }
    await enter(.open)
    return self
  }

  /// See ``Camera``.
  package func resolve(
    _ configuration: StreamConfiguration
  ) async throws(DeviceError) -> ResolvedStreamConfiguration {
    await enter(.resolve)
    return resolved(configuration)
  }

  private func resolved(_ configuration: StreamConfiguration) -> ResolvedStreamConfiguration {
    var resolved = ResolvedStreamConfiguration(
      format: StreamFormat(
        size: configuration.size, pixelFormat: .yuv420, bytesPerRow: configuration.size.width,
        colorSpace: .jpeg),
      bufferCount: 4, leasedFrameCount: configuration.leasedFrameCount, frameDuration: nil,
      readoutDuration: .zero, adjustments: [])
    change(&resolved)
    return resolved
  }

  /// See ``Camera``.
  package func start(_ configuration: StreamConfiguration) async throws(DeviceError) -> CameraStream
  {
    await enter(.start)
    let events = CameraEvents()
    state.withLock { $0.events = events }
    return CameraStream(configuration: resolved(configuration), events: events)
  }

  /// See ``Camera``.
  package func lease(_ id: UInt64) async -> FrameLease? {
    await enter(.lease)
    return nil
  }

  /// See ``Camera``.
  package func setFrameRate(_ frameRate: Double) async throws(DeviceError) -> Duration {
    await enter(.setFrameRate)
    return .seconds(1 / frameRate)
  }

  /// See ``Camera``.
  package var capabilities: CameraCapabilities { CameraCapabilities() }

  /// See ``Camera``.
  package func setControls(_ controls: CameraControls) async throws(DeviceError) {}

  /// See ``Camera``.
  package func stop() async {
    await enter(.stop)
    state.withLock { $0.events }?.finish()
  }

  /// See ``Camera``.
  package func close() async {
    state.withLock { $0.closeCount += 1 }
    await enter(.close)
  }

  /// See ``CameraSystem``.
  package func shutDown() async { state.withLock { $0.isShutDown = true } }

  /// See ``CameraSystem``.
  package func restart() async {}
}
