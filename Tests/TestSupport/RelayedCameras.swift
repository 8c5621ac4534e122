public import Devices

/// The cameras of another system, whose leases are given on as a test wants them.
public struct RelayedCameras: CameraSystem {
  private let base: any CameraSystem
  private let relay: @Sendable (FrameLease) -> FrameLease

  /// Makes a system before another one.
  ///
  /// - Parameter relay: returns the lease that is given instead of one of the other system's.
  public init(
    _ base: any CameraSystem, relay: @escaping @Sendable (FrameLease) -> FrameLease
  ) {
    self.base = base
    self.relay = relay
  }

  /// See ``CameraSystem``.
  public func cameras() async throws(DeviceError) -> [CameraDescription] {
    try await base.cameras()
  }

  /// See ``CameraSystem``.
  public func open(_ id: CameraDescription.ID) async throws(DeviceError) -> any Camera {
    RelayedCamera(base: try await base.open(id), relay: relay)
  }

  /// See ``CameraSystem``.
  public func shutDown() async { await base.shutDown() }

  /// See ``CameraSystem``.
  public func startAnew() async { await base.startAnew() }
}

/// A camera whose leases are given on.
private struct RelayedCamera: Camera {
  let base: any Camera
  let relay: @Sendable (FrameLease) -> FrameLease

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

  func lease(_ id: UInt64) async -> FrameLease? { await base.lease(id).map(relay) }

  func setFrameRate(_ frameRate: Double) async throws(DeviceError) -> Duration {
    try await base.setFrameRate(frameRate)
  }

  func setControls(_ controls: CameraControls) async throws(DeviceError) {
    try await base.setControls(controls)
  }

  func stop() async { await base.stop() }

  func close() async { await base.close() }
}
