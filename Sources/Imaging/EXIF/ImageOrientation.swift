/// How a stored picture has to be turned to be seen upright (Exif tag 0x0112).
public enum ImageOrientation: UInt16, Sendable, Hashable, Codable, CaseIterable {
  /// As it is.
  case up = 1
  /// Mirrored left to right.
  case upMirrored = 2
  /// Turned by 180°.
  case down = 3
  /// Mirrored top to bottom.
  case downMirrored = 4
  /// Mirrored left to right, then turned by 270° clockwise.
  case leftMirrored = 5
  /// Turned by 90° clockwise.
  case right = 6
  /// Mirrored left to right, then turned by 90° clockwise.
  case rightMirrored = 7
  /// Turned by 270° clockwise.
  case left = 8

  /// The orientation of a picture that is upright after a turn.
  ///
  /// - Parameter degrees: how far the viewer has to turn it clockwise, 0, 90, 180 or 270.
  /// - Returns: `nil` for other angles.
  public init?(clockwiseRotation degrees: Int) {
    switch degrees {
    case 0: self = .up
    case 90: self = .right
    case 180: self = .down
    case 270: self = .left
    default: return nil
    }
  }
}
