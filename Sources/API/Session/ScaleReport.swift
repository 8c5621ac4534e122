/// The size of the sheet that a scale is measured on: the body of `POST /v1/session/scale`.
public struct ScaleRequest: Sendable, Hashable, Codable {
  /// How long a side can be, in millimeters.
  public static let sides = 20.0...2000.0

  /// A side of the sheet, 20...2000 mm.
  public let widthMillimeters: Double
  /// The other side, 20...2000 mm; which of them lies across does not matter.
  public let heightMillimeters: Double

  /// Makes a request.
  public init(widthMillimeters: Double, heightMillimeters: Double) {
    self.widthMillimeters = widthMillimeters
    self.heightMillimeters = heightMillimeters
  }

  /// Reads a request.
  ///
  /// - Throws: ``APIError`` for an unknown key and for a side out of its range, or `DecodingError`.
  public init(from decoder: any Decoder) throws {
    try decoder.refuseKeys(notIn: ["widthMillimeters", "heightMillimeters"])
    let container = try decoder.container(keyedBy: CodingKeys.self)
    try container.refuseNulls()
    widthMillimeters = try container.decode(Double.self, forKey: .widthMillimeters)
    heightMillimeters = try container.decode(Double.self, forKey: .heightMillimeters)
    for side in [widthMillimeters, heightMillimeters] where !Self.sides.contains(side) {
      throw APIError(
        .invalidRequest, "A sheet's side must have 20 to 2000 mm, not \(side).")
    }
  }
}

/// The scale of the camera in use, as it was measured and is now kept: the answer to
/// `POST /v1/session/scale`.
public struct ScaleReport: Sendable, Hashable, Codable {
  /// The picture's pixels to an inch of the page: the mean of both ways.
  public let pixelsPerInch: Double
  /// The pixels to an inch along the sides of the sheet that are nearer to the rows of the frame.
  public let horizontal: Double
  /// The pixels to an inch along the other sides.
  public let vertical: Double
  /// By how many degrees the sheet lies turned clockwise in the frame, -45 to 45.
  public let angleDegrees: Double
  /// By which share of their length opposite sides of the sheet differ at most, 0 to 0.05.
  public let keystone: Double
  /// The size of the frame, for which it holds.
  public let frameSize: SizeReport
  /// The lens position in dioptres, for which it holds; `nil` when the camera does not say.
  public let dioptres: Double?
  /// The key `image.dpi`, which pictures claim instead with the configured camera, preset and zoom; `nil`
  /// when it is not set.
  public let configuredPixelsPerInch: Double?

  /// Makes a report.
  public init(
    pixelsPerInch: Double, horizontal: Double, vertical: Double, angleDegrees: Double,
    keystone: Double, frameSize: SizeReport, dioptres: Double? = nil,
    configuredPixelsPerInch: Double? = nil
  ) {
    self.pixelsPerInch = pixelsPerInch
    self.horizontal = horizontal
    self.vertical = vertical
    self.angleDegrees = angleDegrees
    self.keystone = keystone
    self.frameSize = frameSize
    self.dioptres = finite(dioptres)
    self.configuredPixelsPerInch = finite(configuredPixelsPerInch)
  }
}
