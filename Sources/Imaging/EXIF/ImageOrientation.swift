/// The mirroring and rotation that show a stored picture upright (Exif tag 0x0112).
package enum ImageOrientation: UInt16, Sendable, Hashable, Codable, CaseIterable {
  /// No change.
  case up = 1
  /// A mirroring left to right.
  case upMirrored = 2
  /// A rotation by 180°.
  case down = 3
  /// A mirroring top to bottom.
  case downMirrored = 4
  /// A mirroring left to right, then a rotation by 270° clockwise.
  case leftMirrored = 5
  /// A rotation by 90° clockwise.
  case right = 6
  /// A mirroring left to right, then a rotation by 90° clockwise.
  case rightMirrored = 7
  /// A rotation by 270° clockwise.
  case left = 8

  /// Makes the orientation of a picture that is upright after a rotation.
  ///
  /// - Parameter degrees: the clockwise rotation, 0, 90, 180 or 270.
  /// - Returns: `nil` for other angles.
  package init?(clockwiseRotation degrees: Int) {
    switch degrees {
    case 0: self = .up
    case 90: self = .right
    case 180: self = .down
    case 270: self = .left
    default: return nil
    }
  }

  /// The clockwise rotation that shows the picture upright; `nil` if it is mirrored, too.
  package var clockwiseRotation: Int? {
    [0, 90, 180, 270].first { ImageOrientation(clockwiseRotation: $0) == self }
  }
}
