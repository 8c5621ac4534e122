/// The size of the sheet that a scale is measured on: the body of `POST /v1/session/scale`.
package struct ScaleRequest: Sendable, Hashable, Codable {
  /// The allowed lengths of a side, in millimeters.
  package static let sides = 20.0...2000.0

  /// A side of the sheet, 20...2000 mm.
  package let widthMillimeters: Double
  /// The other side, 20...2000 mm; either side may lie across.
  package let heightMillimeters: Double

  package init(widthMillimeters: Double, heightMillimeters: Double) {
    self.widthMillimeters = widthMillimeters
    self.heightMillimeters = heightMillimeters
  }

  /// Reads a request.
  ///
  /// - Throws: ``Devices/InvalidValue`` for an unknown key, ``APIError`` for a side out of its
  ///   range, or `DecodingError`.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(of: [CodingKeys.widthMillimeters, .heightMillimeters])
    widthMillimeters = try container.decode(Double.self, forKey: .widthMillimeters)
    heightMillimeters = try container.decode(Double.self, forKey: .heightMillimeters)
    for side in [widthMillimeters, heightMillimeters] where !Self.sides.contains(side) {
      throw APIError(
        .invalidRequest, "A sheet's side must have 20 to 2000 mm, not \(side).")
    }
  }
}

/// The scale of the camera in use, as it was measured and is now kept.
///
/// The report answers `POST /v1/session/scale`.
package struct ScaleReport: Sendable, Hashable, Codable {
  /// The picture's pixels to an inch of the page: the mean of both directions.
  package let pixelsPerInch: Double
  /// The pixels to an inch along the sides of the sheet that are nearer to the rows of the frame.
  package let horizontal: Double
  /// The pixels to an inch along the other sides.
  package let vertical: Double
  /// The clockwise turn of the sheet in the frame in degrees, -45 to 45.
  package let angleDegrees: Double
  /// The largest difference between opposite sides as a share of their length, 0 to 0.05.
  package let keystone: Double
  /// The size of the frame for which the scale holds.
  package let frameSize: SizeReport
  /// The lens position in diopters for which the scale holds; `nil` when the camera does not say.
  package let diopters: Double?
  /// The key `image.dpi`; `nil` when it is not set.
  ///
  /// Pictures claim this value instead with the configured camera, preset and zoom.
  package let configuredPixelsPerInch: Double?

  package init(
    pixelsPerInch: Double, horizontal: Double, vertical: Double, angleDegrees: Double,
    keystone: Double, frameSize: SizeReport, diopters: Double? = nil,
    configuredPixelsPerInch: Double? = nil
  ) {
    self.pixelsPerInch = pixelsPerInch
    self.horizontal = horizontal
    self.vertical = vertical
    self.angleDegrees = angleDegrees
    self.keystone = keystone
    self.frameSize = frameSize
    self.diopters = finite(diopters)
    self.configuredPixelsPerInch = finite(configuredPixelsPerInch)
  }
}
