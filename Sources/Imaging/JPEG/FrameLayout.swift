import Devices

/// The check of a frame's bytes against its format, before any pointer is used.
enum FrameLayout {
  /// The largest width and height that libjpeg takes (`JPEG_MAX_DIMENSION`).
  static let largestDimension = 65500

  /// Checks the size, the rows' width and the length of a frame.
  ///
  /// The padding after the last row of the last plane may be missing.
  ///
  /// - Throws: ``ImagingError``, code `malformedFrame`.
  static func check(byteCount: Int, of format: StreamFormat) throws(ImagingError) {
    let size = format.size
    let subject = "\(format.pixelFormat.rawValue) frame of \(size)"
    guard (1...largestDimension).contains(size.width), (1...largestDimension).contains(size.height)
    else {
      throw ImagingError(
        .malformedFrame, subject: subject, problem: "has an impossible size",
        cause: "width and height are 1...\(largestDimension) in a JPEG image")
    }
    let rowByteCounts = rowByteCounts(of: format)
    guard format.bytesPerRow <= Int(Int32.max) else {
      throw ImagingError(
        .malformedFrame, subject: subject, problem: "has rows that are too long",
        cause: "\(format.bytesPerRow) bytes a row")
    }
    for (plane, needed) in zip(format.planes, rowByteCounts) where plane.bytesPerRow < needed {
      throw ImagingError(
        .malformedFrame, subject: subject, problem: "has rows that are too short",
        cause: "\(plane.bytesPerRow) bytes a row where the samples need \(needed)")
    }
    let needed = zip(format.planes, rowByteCounts).map { plane, rowByteCount in
      plane.offset + (plane.rows - 1) * plane.bytesPerRow + rowByteCount
    }
    .max()
    if let needed, byteCount < needed {
      throw ImagingError(
        .malformedFrame, subject: subject, problem: "is too short",
        cause: "\(byteCount) bytes where \(needed) are needed")
    }
  }

  /// Returns the number of bytes of samples in a row of each plane.
  private static func rowByteCounts(of format: StreamFormat) -> [Int] {
    let width = format.size.width
    let chroma = (width + 1) / 2
    switch format.pixelFormat {
    case .yuv420: return [width, chroma, chroma]
    case .nv12: return [width, 2 * chroma]
    case .yuyv: return [4 * chroma]
    case .rgb, .bgr: return [3 * width]
    case .mjpeg: return []
    }
  }
}
