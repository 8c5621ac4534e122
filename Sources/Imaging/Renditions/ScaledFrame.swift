package import Devices

/// A smaller copy of a frame in its own memory.
///
/// Luma-chroma frames become YUV420 in the frame's color space, and RGB and BGR keep their format.
/// MJPEG is decoded first. Each sample is the mean of the area that it covers.
package struct ScaledFrame: Sendable {
  /// The format of the bytes.
  package let format: StreamFormat
  /// The samples.
  package let bytes: [UInt8]

  /// Makes a smaller copy of a frame.
  ///
  /// - Parameters:
  ///   - bytes: the frame's bytes; only read during the call.
  ///   - format: the format of the bytes.
  ///   - size: the copy's size, not larger than the frame either way.
  ///   - threadCount: the number of threads for the work; less than 1 counts as 1.
  /// - Throws: ``ImagingError``: `malformedFrame`, `malformedJPEG`, `unsupported`, `outOfMemory`.
  /// - Complexity: O(pixels of the frame); blocks the calling thread.
  package init(
    of bytes: UnsafeRawBufferPointer, format: StreamFormat, size: FrameSize, threadCount: Int = 1
  ) throws(ImagingError) {
    if format.pixelFormat == .mjpeg {
      try self.init(
        of: DecodedPlanes(jpeg: MotionJPEG.completed(bytes)), size: size, threadCount: threadCount)
      return
    }
    try FrameLayout.check(byteCount: bytes.count, of: format)
    try Self.check(size, of: format.size)
    guard let start = bytes.assumingMemoryBound(to: UInt8.self).baseAddress else {
      throw ImagingError(.malformedFrame, subject: "frame", problem: "has no bytes")
    }
    let isRGB = format.pixelFormat == .rgb || format.pixelFormat == .bgr
    self = Self.make(
      size, pixelFormat: isRGB ? format.pixelFormat : .yuv420, colorSpace: format.colorSpace,
      threadCount
    ) { target in
      FrameScales(source: start, format: format, target: target).planes
    }
  }

  /// Makes a smaller copy of a decoded JPEG image.
  ///
  /// - Throws: ``ImagingError``, code `unsupported`, for a larger size.
  init(of picture: DecodedPlanes, size: FrameSize, threadCount: Int = 1) throws(ImagingError) {
    try Self.check(size, of: picture.size)
    // The scales hold pointers to the picture's planes.
    self = withExtendedLifetime(picture) {
      Self.make(size, pixelFormat: .yuv420, colorSpace: .jpeg, threadCount) { target in
        picture.scales(to: target)
      }
    }
  }

  /// Makes an even smaller copy.
  ///
  /// - Throws: ``ImagingError``, code `unsupported`, for a larger size.
  package func scaled(to size: FrameSize) throws(ImagingError) -> ScaledFrame {
    let result = bytes.withUnsafeBytes { bytes in
      Result { () throws(ImagingError) in
        try ScaledFrame(of: bytes, format: format, size: size)
      }
    }
    return try result.get()
  }

  private init(format: StreamFormat, bytes: [UInt8]) {
    self.format = format
    self.bytes = bytes
  }

  /// Makes a copy whose samples a closure fills; they are neutral before.
  ///
  /// - Parameters:
  ///   - pixelFormat: YUV420, RGB or BGR.
  ///   - fill: fills the memory, which is valid only during the call.
  init(
    _ size: FrameSize, pixelFormat: PixelFormat, colorSpace: ColorSpace, fill: (ScaleTarget) -> Void
  ) {
    let bytesPerRow =
      pixelFormat == .yuv420 ? (size.width + 1) / 2 * 2 : size.width * 3
    let format = StreamFormat(
      size: size, pixelFormat: pixelFormat, bytesPerRow: bytesPerRow, colorSpace: colorSpace)
    var bytes = [UInt8](repeating: 128, count: format.byteCount)
    bytes.withUnsafeMutableBufferPointer { buffer in
      if let start = buffer.baseAddress { fill(ScaleTarget(start: start, format: format)) }
    }
    self.init(format: format, bytes: bytes)
  }

  private static func check(_ size: FrameSize, of frame: FrameSize) throws(ImagingError) {
    guard (1...max(frame.width, 1)).contains(size.width),
      (1...max(frame.height, 1)).contains(size.height)
    else {
      throw ImagingError(
        .unsupported, subject: "frame of \(frame)", problem: "cannot be scaled to \(size)",
        cause: "a copy has 1 column and row at least and no more than the frame")
    }
  }

  /// Makes the copy's planes, each cut into as many parts as there are threads.
  private static func make(
    _ size: FrameSize, pixelFormat: PixelFormat, colorSpace: ColorSpace, _ threadCount: Int,
    _ scales: (ScaleTarget) -> [PlaneScale]
  ) -> ScaledFrame {
    ScaledFrame(size, pixelFormat: pixelFormat, colorSpace: colorSpace) { target in
      let scales = scales(target)
      let count = min(max(threadCount, 1), size.height)
      ParallelWork.perform(count) { index in
        for scale in scales {
          let rows = scale.rows.spans.count
          scale.run(index * rows / count..<(index + 1) * rows / count)
        }
      }
    }
  }
}
