package import Devices

/// The page in the newest frame: the answer to `GET /v1/preview/page`.
///
/// Places are fractions of the frame's width and height, 0 to 1 from the top left, as the sensor
/// gave the frame. The live picture needs the same turn and the same mirror.
package struct PagePreviewReport: Sendable, Hashable, Codable {
  /// A place in the frame.
  package struct Corner: Sendable, Hashable, Codable {
    /// The fraction of the width, from the left.
    package let x: Double
    /// The fraction of the height, from the top.
    package let y: Double

    package init(x: Double, y: Double) {
      self.x = finite(x) ?? 0
      self.y = finite(y) ?? 0
    }
  }

  /// A region of text in the frame.
  package struct Region: Sendable, Hashable, Codable {
    /// The left side, a fraction of the width.
    package let x: Double
    /// The upper side, a fraction of the height.
    package let y: Double
    /// The width, a fraction of the frame's.
    package let width: Double
    /// The height, a fraction of the frame's.
    package let height: Double

    init(_ region: PageFindings.Region) {
      x = finite(region.x) ?? 0
      y = finite(region.y) ?? 0
      width = finite(region.width) ?? 0
      height = finite(region.height) ?? 0
    }
  }

  /// A problem that a picture of the page would have now.
  package struct Warning: Sendable, Hashable, Codable {
    /// The problem's code, for example `glare`.
    package let code: Word<PageWarning>
    /// The meaning of the code, without a full stop.
    package let meaning: String
    /// The advice to the operator.
    package let advice: String

    init(_ warning: PageWarning) {
      code = Word(warning)
      meaning = warning.facts.meaning
      advice = warning.facts.advice
    }
  }

  /// The page's corners, clockwise; `nil` if no page stands out.
  package let outline: [Corner]?
  /// The regions of text, from the largest on.
  package let regions: [Region]
  /// The clockwise turn that makes the text upright: 0, 90, 180 or 270 degrees; `nil` if unknown.
  package let textAngle: Int?
  /// The clockwise angle in degrees that levels the lines after that turn; `nil` if unknown.
  package let skew: Double?
  /// The height of a small letter x in pixels of the frame; `nil` without text.
  package let letterHeight: Double?
  /// The problems that a picture would have now, the most important first.
  package let warnings: [Warning]
  /// The score of the aim, 0 without a page to 1.
  package let aim: Double
  /// The next thing to do for a better aim, a sentence.
  package let advice: String
  /// The frame's number, which rises as long as the camera is open.
  package let frame: Int64
  /// The size of the frame in pixels, before any turn.
  package let frameSize: SizeReport
  /// The clockwise turn of the live picture: 0, 90, 180 or 270 degrees.
  package let angle: Int
  /// Whether the live picture is shown as in a mirror.
  package let isMirrored: Bool
  /// The time since the frame was exposed, in milliseconds.
  package let ageMilliseconds: Double

  package init(
    _ findings: PageFindings, aim: Double, advice: String, frame: Int64, frameSize: SizeReport,
    angle: Int, isMirrored: Bool, ageMilliseconds: Double
  ) {
    outline = findings.outline?.map { Corner(x: $0.x, y: $0.y) }
    regions = findings.regions.map(Region.init)
    textAngle = findings.textAngle
    skew = finite(findings.skew)
    letterHeight = finite(findings.letterHeight)
    warnings = findings.warnings.map(Warning.init)
    self.aim = finite(aim) ?? 0
    self.advice = advice
    self.frame = frame
    self.frameSize = frameSize
    self.angle = angle
    self.isMirrored = isMirrored
    self.ageMilliseconds = ageMilliseconds
  }
}
