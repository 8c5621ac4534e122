import Devices
import Synchronization

/// Cameras of another system, whose leases are counted.
final class CountingCameras: CameraSystem {
  /// How many leases there were, and how many at a time.
  struct Leases: Sendable, Hashable {
    var taken = 0
    var out = 0
    var mostOut = 0
  }

  private let base: any CameraSystem
  private let counts = Mutex(Leases())

  init(_ base: any CameraSystem) { self.base = base }

  /// How many leases there were, and how many at a time.
  var leases: Leases { counts.withLock { $0 } }

  func cameras() async throws(DeviceError) -> [CameraDescription] { try await base.cameras() }

  func open(_ id: CameraDescription.ID) async throws(DeviceError) -> any Camera {
    CountingCamera(base: try await base.open(id), system: self)
  }

  func shutDown() async { await base.shutDown() }

  func startAnew() async { await base.startAnew() }

  fileprivate func take() {
    counts.withLock { counts in
      counts.taken += 1
      counts.out += 1
      counts.mostOut = max(counts.mostOut, counts.out)
    }
  }

  fileprivate func giveBack() { counts.withLock { $0.out -= 1 } }
}

/// A camera whose leases are counted.
private struct CountingCamera: Camera {
  let base: any Camera
  let system: CountingCameras

  var identity: CameraDescription { base.identity }
  var capabilities: CameraCapabilities { get async { await base.capabilities } }

  func resolve(
    _ configuration: StreamConfiguration
  ) async throws(DeviceError) -> ResolvedStreamConfiguration {
    try await base.resolve(configuration)
  }

  func start(_ configuration: StreamConfiguration) async throws(DeviceError) -> CameraStream {
    try await base.start(configuration)
  }

  func lease(_ id: UInt64) async -> FrameLease? {
    guard let lease = await base.lease(id) else { return nil }
    system.take()
    return FrameLease(
      info: lease.info, format: lease.format, buffer: CountedBuffer(lease, system))
  }

  func setFrameRate(_ frameRate: Double) async throws(DeviceError) -> Duration {
    try await base.setFrameRate(frameRate)
  }

  func setControls(_ controls: CameraControls) async throws(DeviceError) {
    try await base.setControls(controls)
  }

  func stop() async { await base.stop() }

  func close() async { await base.close() }
}

/// The buffer of a lease that is counted.
private final class CountedBuffer: FrameBuffer {
  private let lease: FrameLease
  private let system: CountingCameras

  init(_ lease: FrameLease, _ system: CountingCameras) {
    self.lease = lease
    self.system = system
  }

  var fileDescriptor: Int32 { lease.buffer.fileDescriptor }
  var offset: Int { lease.buffer.offset }
  var byteCount: Int { lease.buffer.byteCount }

  func readBytes(_ body: (UnsafeRawBufferPointer) -> Void) throws(DeviceError) {
    try lease.buffer.readBytes(body)
  }

  // The lease of the other system ends with this buffer.
  func giveBack() { system.giveBack() }
}
