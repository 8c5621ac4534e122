public import Devices

/// A position in which the rig is laid to find out how its accelerometer is mounted.
///
/// The three are at right angles to each other: two would be enough for a rotation, the third shows
/// whether one side was taken for another.
public enum LevelPose: String, Sendable, Hashable, Codable, CaseIterable {
  /// Level, as over a page: the lens looks straight down.
  case level
  /// On the side that is left as the operator sees the rig from behind the camera.
  case left
  /// On its front edge, the one at the bottom of an upright picture.
  case front

  /// What the technician is to do.
  public var instruction: String {
    switch self {
    case .level: "Lay the rig level, with the lens looking straight down."
    case .left: "Stand it on its left side, as you see it from behind the camera."
    case .front: "Stand it on its front edge, the one at the bottom of an upright picture."
    }
  }

  /// Where up is then, which is what a resting accelerometer measures, in the rig's axes.
  public var up: Acceleration {
    switch self {
    case .level: Acceleration(x: 0, y: 0, z: 1)
    case .left: Acceleration(x: 1, y: 0, z: 0)
    case .front: Acceleration(x: 0, y: 1, z: 0)
    }
  }
}
