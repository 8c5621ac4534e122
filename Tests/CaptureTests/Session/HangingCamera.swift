import Devices
import Synchronization

/// A camera of which one call does not return until it is released.
///
/// It is its own camera system, streams only what ``send(_:)`` is given, and lists one camera.
final class HangingCamera: CameraSystem, Camera {
  /// The calls that can hang.
  enum Call: String, Sendable, CaseIterable {
    case list, open, resolve, start, setFrameRate, lease, stop, close
  }

  private struct State {
    var isReleased = false
    var held: [CheckedContinuation<Void, Never>] = []
    var frames: AsyncStream<CameraEvent>.Continuation?
    var openedIDs: [CameraDescription.ID] = []
    var closeCount = 0
  }

  let identity = CameraDescription(id: "hanging", model: "fake")
  /// Gives an element whenever the call begins to hang.
  let hangs: AsyncStream<Void>
  private let reportHang: AsyncStream<Void>.Continuation
  private let call: Call
  private let state = Mutex(State())

  init(in call: Call) {
    self.call = call
    (hangs, reportHang) = AsyncStream.makeStream()
  }

  /// Lets the call return, now and from now on.
  func release() {
    let held = state.withLock { state in
      state.isReleased = true
      defer { state.held = [] }
      return state.held
    }
    for continuation in held { continuation.resume() }
  }

  /// Whom ``open(_:)`` was asked for.
  var openedIDs: [CameraDescription.ID] { state.withLock { $0.openedIDs } }

  /// How often it was closed.
  var closeCount: Int { state.withLock { $0.closeCount } }

  /// Makes the running stream say something.
  func send(_ event: CameraEvent) {
    _ = state.withLock { $0.frames }?.yield(event)
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

  func cameras() async throws(DeviceError) -> [CameraDescription] {
    await enter(.list)
    return [identity]
  }

  func open(_ id: CameraDescription.ID) async throws(DeviceError) -> any Camera {
    state.withLock { $0.openedIDs.append(id) }
    await enter(.open)
    return self
  }

  func resolve(
    _ configuration: StreamConfiguration
  ) async throws(DeviceError) -> ResolvedStreamConfiguration {
    await enter(.resolve)
    return resolved(configuration)
  }

  private func resolved(_ configuration: StreamConfiguration) -> ResolvedStreamConfiguration {
    ResolvedStreamConfiguration(
      format: StreamFormat(
        size: configuration.size, pixelFormat: .yuv420, bytesPerRow: configuration.size.width,
        colorSpace: .jpeg),
      bufferCount: 4, frameDuration: nil, readoutDuration: .zero, adjustments: [])
  }

  func start(_ configuration: StreamConfiguration) async throws(DeviceError) -> CameraStream {
    await enter(.start)
    let (stream, continuation) = AsyncStream.makeStream(of: CameraEvent.self)
    state.withLock { $0.frames = continuation }
    return CameraStream(configuration: resolved(configuration), events: stream)
  }

  func lease(_ id: UInt64) async -> FrameLease? {
    await enter(.lease)
    return nil
  }

  func setFrameRate(_ frameRate: Double) async throws(DeviceError) -> Duration {
    await enter(.setFrameRate)
    return .seconds(1 / frameRate)
  }

  var capabilities: CameraCapabilities { CameraCapabilities() }

  func setControls(_ controls: CameraControls) async throws(DeviceError) {}

  func stop() async {
    await enter(.stop)
    state.withLock { $0.frames }?.finish()
  }

  func close() async {
    state.withLock { $0.closeCount += 1 }
    await enter(.close)
  }

  func shutDown() async {}

  func startAnew() async {}
}
