public import Devices

/// What a picture looks like in 64 bits, so that the same page taken twice has nearly the same.
///
/// It is a difference hash (N. Krawetz, "Kind of Like That", 2013): the luma of the upright picture
/// is averaged over 9 × 8 fields of equal size, and each bit says whether a field is darker than
/// its right neighbour by more than a level and a half; the first row's leftmost pair is the
/// highest bit. Brightness hardly changes the bits, noise averages out, and two fields of the same
/// plain paper count as equal under light that falls off by up to 5 % from side to side. Two pages
/// on which the ink is spread in the same way look alike to it: a small distance is a hint, no proof.
///
/// The picture is turned upright first: whether a rig was held one way or the other makes no
/// difference.
public struct PerceptualHash: Sendable, Hashable, CustomStringConvertible {
  /// The 64 bits.
  public let bits: UInt64

  /// Makes a hash of its bits.
  public init(bits: UInt64) { self.bits = bits }

  /// Reads 16 hexadecimal digits; `nil` when the text is anything else.
  public init?(_ text: String) {
    guard text.utf8.count == 16, text.utf8.allSatisfy({ Character(UnicodeScalar($0)).isHexDigit }),
      let bits = UInt64(text, radix: 16)
    else { return nil }
    self.bits = bits
  }

  /// The bits as 16 lower-case hexadecimal digits.
  public var description: String {
    let digits = String(bits, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  /// The number of bits in which two hashes differ: 0 for the same look, about 32 for strangers.
  public func distance(to other: PerceptualHash) -> Int {
    (bits ^ other.bits).nonzeroBitCount
  }

  /// Computes the hash of a frame; it is the same wherever and whenever it is computed.
  ///
  /// At most 64 rows of each field are looked at.
  ///
  /// - Parameters:
  ///   - bytes: the frame's bytes; only read during the call.
  ///   - format: what the bytes are.
  ///   - clockwiseRotation: the angle by which the frame has to be turned to be upright: 0, 90,
  ///     180 or 270; others count as 0.
  /// - Returns: `nil` for frames of less than 9 × 9 pixels.
  /// - Throws: ``ImagingError``: `malformedFrame`, or for ``PixelFormat/mjpeg``, which is decoded,
  ///   `malformedJPEG` and `unsupported`.
  /// - Complexity: O(pixels); blocks the calling thread for some milliseconds.
  public static func compute(
    bytes: UnsafeRawBufferPointer, format: StreamFormat, clockwiseRotation: Int
  ) throws(ImagingError) -> PerceptualHash? {
    guard min(format.size.width, format.size.height) >= columns else { return nil }
    guard format.pixelFormat == .mjpeg else {
      try FrameLayout.check(byteCount: bytes.count, of: format)
      return PerceptualHash(
        LumaFields(bytes: bytes, format: format, clockwiseRotation: clockwiseRotation))
    }
    let decoded = try DecodedPlanes(jpeg: try MotionJPEG.completed(bytes))
    return decoded.withLuma { start, bytesPerRow in
      let luma = UnsafeRawBufferPointer(start: start, count: bytesPerRow * decoded.size.height)
      let format = StreamFormat(
        size: decoded.size, pixelFormat: .nv12, bytesPerRow: bytesPerRow, colorSpace: .jpeg)
      return PerceptualHash(
        LumaFields(bytes: luma, format: format, clockwiseRotation: clockwiseRotation))
    }
  }

  private init(_ fields: LumaFields) {
    let (columns, rows, threshold) = (Self.columns, Self.rows, Self.threshold)
    let levels = fields.levels(columns: columns, rows: rows)
    var bits: UInt64 = 0
    for row in 0..<rows {
      for column in 0..<columns - 1 {
        let left = levels[row * columns + column]
        let isDarker = left + threshold < levels[row * columns + column + 1]
        bits = bits << 1 | (isDarker ? 1 : 0)
      }
    }
    self.bits = bits
  }

  static let columns = 9
  static let rows = 8
  /// A level and a half, in the unit of ``LumaFields``.
  ///
  /// Of the test pages, the same taken again then differs in few bits and two different ones in at
  /// least nine; with half a level lighting counts too much, with three too little is left of print.
  static let threshold = LumaFields.unitsPerLevel * 3 / 2
}
