import Capture

extension CaptureSessionConfiguration {
  /// Makes the session's configuration from the cameras and pictures of a configuration file.
  init(_ configuration: PlatenConfiguration) {
    self.init(
      camera: configuration.camera.camera, stream: configuration.camera.stream,
      mountingAngle: configuration.camera.mountingAngle,
      stallTimeout: configuration.camera.stallTimeout,
      maximumWait: configuration.camera.maximumWait)
    if let cameras = configuration.cameras {
      self.cameras = Dictionary(
        cameras.entries.map { ($0.role, $0.choice) }, uniquingKeysWith: { first, _ in first })
      settings.camera = cameras.first
    }
    settlingLimit = configuration.camera.settlingLimit
    standby = configuration.camera.standby
    settings.preset = configuration.camera.preset
    recovery = configuration.camera.recovery.ladder
    settings.prioritization = configuration.image.prioritization
    settings.isFastCapturePrioritized = configuration.image.isFastCapturePrioritized
    additionalDeliveries = configuration.image.deliveries
    indistinctPrioritizations = configuration.image.indistinctPrioritizations
    if let lamp = configuration.lamp { self.lamp = LampPolicy(lamp) }
  }
}

extension LampPolicy {
  fileprivate init(_ section: LampSection) {
    let mode: Mode =
      switch section.mode {
      case .session: .session
      case .shot: .shot
      }
    self.init(mode: mode, leadTime: section.leadTime, holdTime: section.holdTime)
  }
}
