import API
import Capture
import Devices
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
    formats = Set(configuration.image.formats)
    if formats.contains(.dng) { stream.wantsRaw = true }
    stream.previewWidth = PreviewStreamRequest.standardWidth
    indistinctPrioritizations = configuration.image.indistinctPrioritizations
    if configuration.buttons.contains(where: { $0.actions.values.contains(.bracket) }) {
      bracket = configuration.image.bracket
    }
    merge = configuration.image.merge
    recordsMovies = configuration.movie.isEnabled
    if let lamp = configuration.lamp {
      self.lamp = lamp.policy
      settings.flashMode = lamp.policy.mode == .shot ? lamp.flash : nil
    }
    let shortestPress = configuration.buttons.map(\.button.shortestPress).max() ?? .zero
    choiceTime = FrameSelector.longestChoice(shortestPress: shortestPress)
  }
}
