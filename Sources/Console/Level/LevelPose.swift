package import Devices

/// A position of the rig for finding the mounting of its accelerometer.
///
/// The three positions are at right angles to each other. Two would suffice for a rotation; the
/// third reveals whether one side was mistaken for another.
package enum LevelPose: String, Sendable, Hashable, Codable, CaseIterable {
  /// The rig is level, as over a page, with the lens straight down.
  case level
  /// The rig is on its left side, as seen from behind the camera.
  case left
  /// The rig is on its front edge, which is at the bottom of an upright picture.
  case front

  /// The instruction for the technician.
  package var instruction: String {
    switch self {
    case .level: "Lay the rig level, with the lens looking straight down."
    case .left: "Stand it on its left side, as you see it from behind the camera."
    case .front: "Stand it on its front edge, the one at the bottom of an upright picture."
    }
  }

  /// The upward direction in the rig's axes, which an accelerometer at rest measures.
  package var up: Acceleration {
    switch self {
    case .level: Acceleration(x: 0, y: 0, z: 1)
    case .left: Acceleration(x: 1, y: 0, z: 0)
    case .front: Acceleration(x: 0, y: 1, z: 0)
    }
  }
}
