/// The factor by which cropping narrows the field of view, as the value of a control.
package struct VideoZoom: RawRepresentable, Sendable, Hashable, Codable {
  /// The factors that some camera may have.
  package static let factors = 1.0...100.0

  /// The factor, 1 or more.
  package let rawValue: Double

  package init(rawValue: Double) { self.rawValue = rawValue }
}

extension VideoZoom: ControlValue {
  static let name = "video zoom"

  func check() throws(InvalidValue) {
    try InvalidValue.require(rawValue, in: Self.factors, "zoom")
  }

  func refusal(by capabilities: CameraCapabilities) -> String? {
    if rawValue == 1 { return nil }
    let maximum = capabilities.maximumVideoZoomFactor
    guard maximum > 1 else { return "it has no video zoom" }
    guard rawValue >= 1, rawValue <= maximum else {
      return "a video zoom factor of \(rawValue) is not within 1.0...\(maximum)"
    }
    return nil
  }

  func text(_ figure: (Double, String) -> String) -> String? {
    rawValue == 1 ? nil : "zoom \(figure(rawValue, ""))"
  }
}

extension CameraControls {
  /// The factor as the value of a control.
  var videoZoom: VideoZoom {
    get { VideoZoom(rawValue: videoZoomFactor) }
    set { videoZoomFactor = newValue.rawValue }
  }
}
