import Devices
import Synchronization

/// A camera that streams nothing and does not answer when it is told its frame rate, until it is
/// released; its own camera system.
final class DeafCamera: CameraSystem, Camera {
  private struct State {
    var isReleased = false
    var isShutDown = false
    var held: [CheckedContinuation<Void, Never>] = []
    var events: AsyncStream<CameraEvent>.Continuation?
  }

  let identity = CameraDescription(id: "deaf", model: "fake")
  private let state = Mutex(State())

  /// Whether somebody waits for an answer.
  var isHanging: Bool { state.withLock { !$0.held.isEmpty } }

  /// Whether the camera system has been shut down.
  var isShutDown: Bool { state.withLock { $0.isShutDown } }

  /// Lets all calls return, now and from now on.
  func release() {
    let held = state.withLock { state in
      state.isReleased = true
      defer { state.held = [] }
      return state.held
    }
    for continuation in held { continuation.resume() }
  }

  func cameras() async throws(DeviceError) -> [CameraDescription] { [identity] }

  func open(_ id: CameraDescription.ID) async throws(DeviceError) -> any Camera { self }

  func resolve(
    _ configuration: StreamConfiguration
  ) async throws(DeviceError) -> ResolvedStreamConfiguration {
    ResolvedStreamConfiguration(
      format: StreamFormat(
        size: configuration.size, pixelFormat: .yuv420, bytesPerRow: configuration.size.width,
        colorSpace: .jpeg),
      bufferCount: 4, frameDuration: nil, readoutDuration: .zero, adjustments: [])
  }

  func start(_ configuration: StreamConfiguration) async throws(DeviceError) -> CameraStream {
    let (stream, continuation) = AsyncStream.makeStream(of: CameraEvent.self)
    state.withLock { $0.events = continuation }
    return CameraStream(configuration: try await resolve(configuration), events: stream)
  }

  func lease(_ id: UInt64) async -> FrameLease? { nil }

  func setFrameRate(_ frameRate: Double) async throws(DeviceError) -> Duration {
    await withCheckedContinuation { continuation in
      let isReleased = state.withLock { state in
        if !state.isReleased { state.held.append(continuation) }
        return state.isReleased
      }
      if isReleased { continuation.resume() }
    }
    return .seconds(1 / frameRate)
  }

  var capabilities: CameraCapabilities { get async { CameraCapabilities() } }

  func setControls(_ controls: CameraControls) async throws(DeviceError) {}

  func stop() async { state.withLock { $0.events }?.finish() }

  func close() async {}

  func startAnew() async {}

  func shutDown() async { state.withLock { $0.isShutDown = true } }
}
