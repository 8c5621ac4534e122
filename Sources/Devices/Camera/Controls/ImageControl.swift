/// A control of the image that is one number, with its facts.
///
/// The numbers are libcamera's. Another control of this kind is another case with its row.
package enum ImageControl: String, Sendable, Hashable, Codable, CaseIterable, CodingKeyRepresentable
{
  /// The brightness that the automatic exposure aims at, in exposure values, -8...8.
  case exposureCompensation
  /// The brightness that is added to the image, -1...1.
  case brightness
  /// The contrast as a factor, 0...32.
  case contrast
  /// The saturation of the colors as a factor, 0...32.
  case saturation
  /// The sharpening of edges as a factor, 0...16.
  case sharpness
  /// The exponent of the tone curve, 0.1...10; cameras without their own image processor have it.
  case gamma

  /// The facts of a control.
  private struct Facts {
    /// The key in the section `camera` of the configuration.
    var key: String
    /// The control's name in libcamera.
    var libcameraName: String
    /// The numbers that any camera may have.
    var range: ClosedRange<Double>
    /// The number that changes nothing.
    var unchanged: Double
    /// The meaning for people, a noun phrase.
    var meaning: String

    init(
      _ key: String, _ libcameraName: String, _ range: ClosedRange<Double>, unchanged: Double,
      _ meaning: String
    ) {
      self.key = key
      self.libcameraName = libcameraName
      self.range = range
      self.unchanged = unchanged
      self.meaning = meaning
    }
  }

  private var facts: Facts {
    switch self {
    case .exposureCompensation:
      Facts(
        "exposure_compensation", "ExposureValue", -8...8, unchanged: 0,
        "the exposure values by which the automatic exposure is brighter than usual")
    case .brightness:
      Facts("brightness", "Brightness", -1...1, unchanged: 0, "the brightness that is added")
    case .contrast:
      Facts("contrast", "Contrast", 0...32, unchanged: 1, "the contrast; 1 changes nothing")
    case .saturation:
      Facts(
        "saturation", "Saturation", 0...32, unchanged: 1,
        "the saturation of the colors; 0 is gray, and 1 changes nothing")
    case .sharpness:
      Facts(
        "sharpness", "Sharpness", 0...16, unchanged: 1,
        "the sharpening of edges; 0 is none, and 1 the usual one")
    case .gamma:
      Facts(
        "gamma", "Gamma", 0.1...10, unchanged: 2.2,
        "the exponent of the tone curve; 2.2 is the usual one")
    }
  }

  /// The key in the section `camera` of the configuration.
  package var configurationKey: String { facts.key }
  /// The control's name in libcamera (`control_ids.yaml`), at most 31 bytes.
  package var libcameraName: String { facts.libcameraName }
  /// The numbers that any camera may have.
  package var range: ClosedRange<Double> { facts.range }
  /// The number that changes nothing.
  package var unchanged: Double { facts.unchanged }
  /// The meaning for people, a noun phrase.
  package var meaning: String { facts.meaning }

  /// Checks that some camera may have a number of this control.
  ///
  /// - Throws: ``InvalidValue`` for a number out of ``range``.
  package func check(_ value: Double) throws(InvalidValue) {
    try InvalidValue.require(value, in: range, "image.\(rawValue)")
  }
}
