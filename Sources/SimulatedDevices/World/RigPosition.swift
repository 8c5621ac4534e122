package import Devices
import Glibc

/// A clockwise turn by a multiple of 90°, with the angle in degrees as its raw value.
package enum QuarterTurn: Int, Sendable, Hashable, Codable, CaseIterable {
  /// No turn.
  case none = 0
  /// A quarter turn clockwise.
  case clockwise90 = 90
  /// A half turn, upside down.
  case half = 180
  /// Three quarter turns clockwise, or a quarter turn counterclockwise.
  case clockwise270 = 270

  /// Makes the quarter turn nearest to a clockwise angle in degrees.
  package init(nearest degrees: Double) {
    let quarters = Int((degrees / 90).rounded()) % 4
    self = QuarterTurn.allCases[(quarters + 4) % 4]
  }

  /// Returns the sum of two turns.
  package static func + (first: QuarterTurn, second: QuarterTurn) -> QuarterTurn {
    QuarterTurn(nearest: Double(first.rawValue + second.rawValue))
  }

  /// The EXIF Orientation (Exif 2.32, tag 0x0112) for a picture from a camera with this turn.
  ///
  /// The value makes viewers turn the picture clockwise by the same angle, and so show it upright.
  package var exifOrientation: Int {
    switch self {
    case .none: 1
    case .clockwise90: 6
    case .half: 3
    case .clockwise270: 8
    }
  }
}

/// The position of the simulated rig: turned about the optical axis, and standing or lying.
///
/// The rig's axes are those of `Acceleration`: x to the right as the operator sees it, y to the top
/// edge of an upright picture, z from the scene to the operator. Turned clockwise by θ, as seen
/// from behind the camera, the rig's x axis points along (cos θ, −sin θ) of the world's (right,
/// up). The rig's y axis then points along (sin θ, cos θ). A resting accelerometer points up, which
/// is therefore (−sin θ, cos θ) in the rig's axes. The same two numbers give the "up" direction in
/// the sensor's picture, with x to the right and y to the top. Turning the stored picture clockwise
/// by θ brings that edge to the top.
///
/// | turned clockwise by | acceleration (m/s²) | up in the sensor's picture | EXIF Orientation |
/// |---|---|---|---|
/// | 0° | (0, +9.81, 0) | top | 1 |
/// | 90° | (−9.81, 0, 0) | left | 6 |
/// | 180° | (0, −9.81, 0) | bottom | 3 |
/// | 270° | (+9.81, 0, 0) | right | 8 |
/// | lying, lens down | (0, 0, +9.81) | as before it was laid down | the last one |
/// | lying, lens up | (0, 0, −9.81) | as before it was laid down | the last one |
package struct RigPosition: Sendable, Hashable {
  /// Whether the optical axis is level or plumb.
  package enum Attitude: String, Sendable, Hashable, Codable, CaseIterable {
    /// The optical axis is level, and gravity shows the turn.
    case standing
    /// The lens looks straight down, at a page on a table.
    case lensDown
    /// The lens looks straight up, and the rig lies on its back.
    case lensUp
  }

  /// The turn about the optical axis in degrees, clockwise as seen from behind the camera.
  package var degrees: Double = 0
  /// Whether the rig stands or lies.
  package var attitude: Attitude = .standing

  /// The quarter turn of the drawn page scene, which is the nearest to ``degrees``.
  package var quarterTurn: QuarterTurn { QuarterTurn(nearest: degrees) }

  /// The reading of an ideal accelerometer in the rig's axes, in m/s².
  package var acceleration: Acceleration {
    let gravity = Acceleration.standardGravity
    switch attitude {
    case .standing:
      let angle = degrees * .pi / 180
      return Acceleration(x: -sin(angle) * gravity, y: cos(angle) * gravity, z: 0)
    case .lensDown: return Acceleration(x: 0, y: 0, z: gravity)
    case .lensUp: return Acceleration(x: 0, y: 0, z: -gravity)
    }
  }
}
