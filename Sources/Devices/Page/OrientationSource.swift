/// The source of the angle that turns a picture upright.
package enum OrientationSource: String, Sendable, Hashable, Codable, CaseIterable {
  /// Gravity, felt by the accelerometer.
  case gravity
  /// The text on the page, because gravity could not tell.
  case text
  /// The last angle that was known, because neither gravity nor the text could tell.
  case kept
  /// The mounting of a camera in a rig without an accelerometer.
  case fixed
}
