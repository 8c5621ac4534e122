public import Devices

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A turn by a multiple of 90°, clockwise; its raw value is the angle in degrees.
public enum QuarterTurn: Int, Sendable, Hashable, Codable, CaseIterable {
  /// Not turned.
  case none = 0
  /// A quarter clockwise.
  case clockwise90 = 90
  /// Upside down.
  case half = 180
  /// Three quarters clockwise, which is a quarter counter-clockwise.
  case clockwise270 = 270

  /// The quarter turn nearest to an angle in degrees, clockwise.
  public init(nearest degrees: Double) {
    let quarters = Int((degrees / 90).rounded()) % 4
    self = QuarterTurn.allCases[(quarters + 4) % 4]
  }

  /// One turn after another.
  public static func + (first: QuarterTurn, second: QuarterTurn) -> QuarterTurn {
    QuarterTurn(nearest: Double(first.rawValue + second.rawValue))
  }

  /// The EXIF Orientation (Exif 2.32, tag 0x0112) that shows a picture upright which was taken with
  /// the camera turned by this; it tells the viewer to turn the picture clockwise by the same angle.
  public var exifOrientation: Int {
    switch self {
    case .none: 1
    case .clockwise90: 6
    case .half: 3
    case .clockwise270: 8
    }
  }
}

/// How the simulated rig is held: turned about the optical axis, and standing or lying.
///
/// The rig's axes are those of `Acceleration`: x to the right as the operator sees it, y to the top
/// edge of an upright picture, z from the scene to the operator. Turned clockwise by θ, as seen from
/// behind the camera, the rig's x axis points along (cos θ, −sin θ) of the world's (right, up) and
/// its y axis along (sin θ, cos θ). "Up", which is where a resting accelerometer points, is
/// therefore (−sin θ, cos θ) in the rig's axes. The same two numbers say where up is in the sensor's
/// picture, whose right is x and whose top is y; turning the stored picture clockwise by θ brings
/// that edge to the top.
///
/// | turned clockwise by | acceleration (m/s²) | up in the sensor's picture | EXIF Orientation |
/// |---|---|---|---|
/// | 0° | (0, +9.81, 0) | top | 1 |
/// | 90° | (−9.81, 0, 0) | left | 6 |
/// | 180° | (0, −9.81, 0) | bottom | 3 |
/// | 270° | (+9.81, 0, 0) | right | 8 |
/// | lying, lens down | (0, 0, +9.81) | as before it was laid down | the last one |
/// | lying, lens up | (0, 0, −9.81) | as before it was laid down | the last one |
public struct RigPosition: Sendable, Hashable {
  /// Whether the optical axis is level or plumb.
  public enum Attitude: String, Sendable, Hashable, Codable, CaseIterable {
    /// The optical axis is level; gravity tells the turn.
    case standing
    /// The lens looks straight down, at a page on a table.
    case lensDown
    /// The lens looks straight up; the rig lies on its back.
    case lensUp
  }

  /// The turn about the optical axis in degrees, clockwise as seen from behind the camera.
  public var degrees: Double
  /// Whether the rig stands or lies.
  public var attitude: Attitude

  /// Makes a position.
  public init(degrees: Double = 0, attitude: Attitude = .standing) {
    self.degrees = degrees
    self.attitude = attitude
  }

  /// The quarter turn that the page scene is drawn with: the one nearest to ``degrees``.
  public var quarterTurn: QuarterTurn { QuarterTurn(nearest: degrees) }

  /// What an ideal accelerometer reads in the rig's axes, in m/s².
  public var acceleration: Acceleration {
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
