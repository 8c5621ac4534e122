/// A place in the frame to focus on (`AVCaptureDevice.focusPointOfInterest`).
///
/// The frame is the camera's own: not turned upright, and with the zoom. 0, 0 is its top left.
package struct FocusPoint: Sendable, Hashable {
  /// The parts of the frame that a coordinate may be.
  package static let range = 0.0...1.0

  /// The distance from the left edge as a part of the frame's width, 0...1.
  package let x: Double
  /// The distance from the top edge as a part of the frame's height, 0...1.
  package let y: Double

  package init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }

  /// Checks that the place is in the frame.
  ///
  /// - Throws: ``InvalidValue``.
  package func check() throws(InvalidValue) {
    try InvalidValue.require(x, in: Self.range, "focusPoint.x")
    try InvalidValue.require(y, in: Self.range, "focusPoint.y")
  }
}

extension FocusPoint: Codable {
  private enum CodingKeys: String, CodingKey, CaseIterable { case x, y }

  /// Reads a place.
  ///
  /// - Throws: `DecodingError`, or ``InvalidValue`` for an unknown key.
  package init(from decoder: any Decoder) throws {
    try decoder.requireKeys(among: CodingKeys.allCases.map(\.rawValue))
    let container = try decoder.container(keyedBy: CodingKeys.self)
    x = try container.decode(Double.self, forKey: .x)
    y = try container.decode(Double.self, forKey: .y)
  }
}
