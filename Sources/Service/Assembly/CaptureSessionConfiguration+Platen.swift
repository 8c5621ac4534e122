import Capture
import RigConfiguration

extension CaptureSessionConfiguration {
  /// Makes the session's configuration from the cameras, pictures and buttons of a file.
  init(_ configuration: PlatenConfiguration) {
    self = configuration.camera.session
    if let cameras = configuration.cameras {
      self.cameras = Dictionary(
        cameras.entries.map { ($0.role, $0.choice) }, uniquingKeysWith: { first, _ in first })
      settings.camera = cameras.first
    }
    settings.prioritization = configuration.image.prioritization
    settings.isFastCapturePrioritized = configuration.image.isFastCapturePrioritized
    additionalDeliveries = configuration.image.deliveries
    indistinctPrioritizations = configuration.image.indistinctPrioritizations
    if let lamp = configuration.lamp { self.lamp = lamp.policy }
    let shortestPress = configuration.buttons.map(\.button.shortestPress).max() ?? .zero
    choiceTime = FrameSelector.longestChoice(shortestPress: shortestPress)
  }
}
