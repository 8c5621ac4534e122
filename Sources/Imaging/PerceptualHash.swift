package import Devices

/// A picture's look in 64 bits, nearly the same for two pictures of the same page.
///
/// The bits are a difference hash (N. Krawetz, "Kind of Like That", 2013). The luma of the upright
/// picture is averaged over 9 × 8 fields of equal size. Each bit is set if a field is darker than
/// its right neighbor by more than a level and a half. The first row's leftmost pair is the highest
/// bit. Brightness hardly changes the bits, and noise averages out. Two fields of the same plain
/// paper count as equal under light that falls off by up to 5 % from side to side. Two pages with
/// the same spread of ink have similar hashes, so a small distance is a hint and no proof.
///
/// The picture is turned upright first, so the rotation of the rig makes no difference.
package struct PerceptualHash: Sendable, Hashable, CustomStringConvertible {
  /// The 64 bits.
  package let bits: UInt64

  package init(bits: UInt64) { self.bits = bits }

  /// Reads 16 hexadecimal digits; `nil` for any other text.
  package init?(_ text: String) {
    guard text.utf8.count == 16, text.utf8.allSatisfy({ Character(UnicodeScalar($0)).isHexDigit }),
      let bits = UInt64(text, radix: 16)
    else { return nil }
    self.bits = bits
  }

  /// The bits as 16 lower-case hexadecimal digits.
  package var description: String {
    let digits = String(bits, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  /// Returns the number of differing bits: 0 for the same look, about 32 for unrelated pictures.
  package func distance(to other: PerceptualHash) -> Int {
    (bits ^ other.bits).nonzeroBitCount
  }

  /// Computes the hash of a frame; the result depends only on the arguments.
  ///
  /// At most 64 rows of each field are read.
  ///
  /// - Parameters:
  ///   - bytes: the frame's bytes; only read during the call.
  ///   - format: the format of the bytes.
  ///   - clockwiseRotation: the angle that turns the frame upright: 0, 90, 180 or 270; other angles
  ///     count as 0.
  /// - Returns: `nil` for frames of less than 9 × 9 pixels.
  /// - Throws: ``ImagingError``: `malformedFrame`, or for ``PixelFormat/mjpeg``, which is decoded,
  ///   `malformedJPEG` and `unsupported`.
  /// - Complexity: O(pixels); blocks the calling thread for some milliseconds.
  package static func compute(
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
  /// The threshold of a bit: a level and a half, in the unit of ``LumaFields``.
  ///
  /// Two pictures of the same test page then differ in few bits, and pictures of different test
  /// pages in at least nine. With half a level, lighting has too much influence. With three levels,
  /// too little of the print is left.
  static let threshold = LumaFields.unitsPerLevel * 3 / 2
}
