package import Devices

/// The luma of a frame, in any layout.
package struct LumaPlane {
  /// The first sample of the first row.
  package let start: UnsafePointer<UInt8>
  /// The number of bytes from one row to the next.
  package let bytesPerRow: Int
  /// The number of bytes from one sample to the next in a row.
  package var step = 1
  /// The numbers of columns and rows.
  package let size: FrameSize
  /// The samples that stand for black and for white.
  package var range: ClosedRange<Int> = 0...255

  /// Calls a closure with the luma of a frame; the pointer is valid only during the call.
  ///
  /// MJPEG is decoded (`tjDecompressToYUVPlanes`), and RGB is converted to the luma of BT.601. The
  /// luma of all other formats is read in place.
  ///
  /// - Throws: ``ImagingError``: `malformedFrame`, `malformedJPEG` or `unsupported`.
  package static func with<Result>(
    _ bytes: UnsafeRawBufferPointer, _ format: StreamFormat, _ body: (LumaPlane) -> Result
  ) throws(ImagingError) -> Result {
    if format.pixelFormat == .mjpeg {
      let decoded = try DecodedPlanes(jpeg: try MotionJPEG.completed(bytes))
      let result = decoded.withLuma { start, bytesPerRow in
        body(LumaPlane(start: start, bytesPerRow: bytesPerRow, size: decoded.size))
      }
      guard let result else {
        throw ImagingError(.malformedJPEG, subject: "MJPEG frame", problem: "has no luma")
      }
      return result
    }
    try FrameLayout.check(byteCount: bytes.count, of: format)
    guard let start = bytes.assumingMemoryBound(to: UInt8.self).baseAddress else {
      throw ImagingError(.malformedFrame, subject: "frame", problem: "has no bytes")
    }
    switch format.pixelFormat {
    case .rgb, .bgr:
      var luma = ScratchBuffer()
      let samples = luma.reserve(format.size.area)
      return withExtendedLifetime(luma) {
        Self.convert(start, format, to: samples)
        return body(
          LumaPlane(
            start: UnsafePointer(samples), bytesPerRow: format.size.width, size: format.size))
      }
    case .yuv420, .nv12, .yuyv, .mjpeg:
      return body(
        LumaPlane(
          start: start, bytesPerRow: format.bytesPerRow,
          step: format.pixelFormat == .yuyv ? 2 : 1, size: format.size,
          // An unspecified color space counts as limited, as in pictures.
          range: format.colorSpace == .jpeg ? 0...255 : 16...235))
    }
  }

  /// Computes the luma of BT.601 in whole levels.
  private static func convert(
    _ start: UnsafePointer<UInt8>, _ format: StreamFormat, to luma: UnsafeMutablePointer<UInt8>
  ) {
    let (red, blue) = format.pixelFormat == .rgb ? (0, 2) : (2, 0)
    for row in 0..<format.size.height {
      let pixels = start + row * format.bytesPerRow
      let target = luma + row * format.size.width
      for column in 0..<format.size.width {
        let pixel = pixels + 3 * column
        let sum = 77 * Int(pixel[red]) + 150 * Int(pixel[1]) + 29 * Int(pixel[blue])
        target[column] = UInt8(truncatingIfNeeded: sum >> 8)
      }
    }
  }
}
