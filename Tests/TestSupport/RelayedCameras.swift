package import Devices

/// The cameras of another system, with leases that a test may replace.
package struct RelayedCameras: CameraSystem {
  private let base: any CameraSystem
  private let relay: @Sendable (FrameLease) -> FrameLease

  /// Makes a system in front of another system.
  ///
  /// - Parameter relay: a closure that returns the lease to give instead of a lease of the other
  ///   system.
  package init(
    _ base: any CameraSystem, relay: @escaping @Sendable (FrameLease) -> FrameLease
  ) {
    self.base = base
    self.relay = relay
  }

  /// See ``CameraSystem``.
  package func cameras() async throws(DeviceError) -> [CameraDescription] {
    try await base.cameras()
  }

  /// See ``CameraSystem``.
  package func open(_ id: CameraDescription.ID) async throws(DeviceError) -> any Camera {
    RelayedCamera(base: try await base.open(id), relay: relay)
  }

  /// See ``CameraSystem``.
  package func shutDown() async { await base.shutDown() }

  /// See ``CameraSystem``.
  package func restart() async { await base.restart() }
}

/// A camera whose leases a test may replace.
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
