import CJPEGStripes
import CTurboJPEG
package import Devices

/// An encoder that makes JPEG images of camera frames with libjpeg-turbo.
///
/// An encoder owns one TurboJPEG handle and its memory, which is reused from picture to picture. It
/// also owns an encoder of stripes for each thread. The encoder is not `Sendable`. An actor on a
/// ``DispatchQueueExecutor`` owns one and makes the blocking calls. Several encoders work in
/// parallel and share nothing.
package final class JPEGEncoder {
  /// The qualities that TurboJPEG takes, from smallest file to best picture.
  package static let qualities = 1...100

  private let handle: tjhandle
  private var planes = SamplePlanes()
  private var stripes = StripeCompressor()
  private var output: UnsafeMutablePointer<UInt8>?
  private var outputCapacity = 0

  /// Makes an encoder (`tjInitCompress`).
  ///
  /// - Throws: ``ImagingError``, code `encoderFailed`.
  package init() throws(ImagingError) {
    guard let handle = tjInitCompress() else {
      throw ImagingError(
        .encoderFailed, subject: "TurboJPEG", problem: "gives no compressor",
        cause: String(cString: tjGetErrorStr2(nil)))
    }
    self.handle = handle
  }

  deinit {
    tjFree(output)
    tjDestroy(handle)
  }

  /// Makes a JPEG image of a frame.
  ///
  /// A YUV420 frame in ``ColorSpace/jpeg`` is compressed in place (`tjCompressFromYUVPlanes`). NV12
  /// and YUYV are split into planes, and other color spaces are converted to JFIF's. RGB and BGR
  /// are left to `tjCompress2`. An MJPEG frame is not compressed again. It is checked, and
  /// completed with the standard Huffman tables if it has none. Chroma is halved both ways, except
  /// for YUYV, which keeps its rows. A luma-chroma frame of color space ``ColorSpace/unspecified``
  /// counts as limited BT.601.
  ///
  /// With more than one stripe, as many threads make the same picture, the caller's thread among
  /// them. Each encodes some rows with libjpeg's own API, and the parts are joined into one
  /// baseline image. This image has a restart marker after each row of MCUs (16 rows of pixels, 8
  /// for YUYV), about 0.03 % of its bytes. A reader shows the same picture as with one stripe. The
  /// bytes are the same for every number of stripes above 1.
  ///
  /// - Parameters:
  ///   - bytes: the frame's bytes; only read during the call.
  ///   - format: the format of the bytes.
  ///   - quality: the quality, 1...100; ignored for MJPEG.
  ///   - stripeCount: the number of threads that work on the picture; less than 1 counts as 1, and
  ///     an MJPEG frame needs no more.
  /// - Returns: a whole JFIF image, or the camera's own for MJPEG.
  /// - Throws: ``ImagingError``: `malformedFrame`, `malformedJPEG`, `unsupported`, `outOfMemory`
  ///   or `encoderFailed`; the encoder stays usable.
  /// - Complexity: O(pixels); blocks the calling thread for milliseconds to seconds.
  package func encode(
    bytes: UnsafeRawBufferPointer, format: StreamFormat, quality: Int, stripeCount: Int = 1
  ) throws(ImagingError) -> [UInt8] {
    if format.pixelFormat == .mjpeg { return try MotionJPEG.completed(bytes) }
    guard Self.qualities.contains(quality) else {
      throw ImagingError(
        .unsupported, subject: "quality \(quality)", problem: "cannot be encoded",
        cause: "the quality is \(Self.qualities.lowerBound)...\(Self.qualities.upperBound)")
    }
    try FrameLayout.check(byteCount: bytes.count, of: format)
    guard let start = bytes.assumingMemoryBound(to: UInt8.self).baseAddress else {
      throw ImagingError(.malformedFrame, subject: "frame", problem: "has no bytes")
    }
    switch format.pixelFormat {
    case .yuv420, .nv12, .yuyv:
      return try stripeCount > 1
        ? compressPlanes(start, format: format, quality: quality, stripeCount: stripeCount)
        : compressPlanes(start, format: format, quality: quality)
    case .rgb, .bgr:
      return try stripeCount > 1
        ? compressPixels(start, format: format, quality: quality, stripeCount: stripeCount)
        : compressPixels(start, format: format, quality: quality)
    case .mjpeg:
      return try MotionJPEG.completed(bytes)
    }
  }

  private func compressPlanes(
    _ start: UnsafePointer<UInt8>, format: StreamFormat, quality: Int, stripeCount: Int
  ) throws(ImagingError) -> [UInt8] {
    let prepared = planes.prepare(start, format: format)
    let layout =
      switch prepared.sampling {
      case .halved: CJPEGSTRIPES_YCC_420
      case .halvedHorizontally: CJPEGSTRIPES_YCC_422
      }
    return try stripes.compress(
      StripeCompressor.Picture(
        size: format.size, layout: layout,
        planes: prepared.planes.map { ($0.start, $0.bytesPerRow) }, quality: quality,
        fill: prepared.fill),
      stripeCount: stripeCount)
  }

  private func compressPixels(
    _ start: UnsafePointer<UInt8>, format: StreamFormat, quality: Int, stripeCount: Int
  ) throws(ImagingError) -> [UInt8] {
    try stripes.compress(
      StripeCompressor.Picture(
        size: format.size,
        layout: format.pixelFormat == .rgb ? CJPEGSTRIPES_RGB : CJPEGSTRIPES_BGR,
        planes: [(start, format.bytesPerRow)], quality: quality, fill: { _ in }),
      stripeCount: stripeCount)
  }

  private func compressPlanes(
    _ start: UnsafePointer<UInt8>, format: StreamFormat, quality: Int
  ) throws(ImagingError) -> [UInt8] {
    let prepared = planes.prepare(start, format: format)
    prepared.fill(0..<prepared.chromaRows)
    var pointers = prepared.planes.map { Optional($0.start) }
    var bytesPerRow = prepared.planes.map { Int32($0.bytesPerRow) }
    let sampling = prepared.sampling.turboJPEG
    try reserveOutput(format.size, sampling: sampling)
    var byteCount = UInt(outputCapacity)
    let result = tjCompressFromYUVPlanes(
      handle, &pointers, Int32(format.size.width), &bytesPerRow,
      Int32(format.size.height), sampling, &output, &byteCount, Int32(quality),
      TJFLAG_NOREALLOC | TJFLAG_ACCURATEDCT)
    return try finish(result, byteCount: byteCount, format: format)
  }

  private func compressPixels(
    _ start: UnsafePointer<UInt8>, format: StreamFormat, quality: Int
  ) throws(ImagingError) -> [UInt8] {
    let order = format.pixelFormat == .rgb ? TJPF_RGB : TJPF_BGR
    let sampling = ChromaSampling.halved.turboJPEG
    try reserveOutput(format.size, sampling: sampling)
    var byteCount = UInt(outputCapacity)
    let result = tjCompress2(
      handle, start, Int32(format.size.width), Int32(format.bytesPerRow),
      Int32(format.size.height), Int32(order.rawValue), &output, &byteCount, sampling,
      Int32(quality), TJFLAG_NOREALLOC | TJFLAG_ACCURATEDCT)
    return try finish(result, byteCount: byteCount, format: format)
  }

  /// Reserves room for the worst case, so that TurboJPEG need not grow the buffer as it writes.
  ///
  /// Pages of the buffer that no picture reaches are never touched and cost no memory.
  private func reserveOutput(_ size: FrameSize, sampling: Int32) throws(ImagingError) {
    let needed = tjBufSize(Int32(size.width), Int32(size.height), sampling)
    guard needed <= UInt(Int32.max) else {
      throw ImagingError(
        .unsupported, subject: "frame of \(size)", problem: "is too large to be encoded",
        cause: String(cString: tjGetErrorStr2(handle)))
    }
    if outputCapacity >= Int(needed) { return }
    tjFree(output)
    outputCapacity = 0
    output = tjAlloc(Int32(needed))
    guard output != nil else {
      throw ImagingError(
        .outOfMemory, subject: "frame of \(size)", problem: "cannot be encoded",
        cause: "no memory for an image of up to \(needed) bytes")
    }
    outputCapacity = Int(needed)
  }

  private func finish(
    _ result: Int32, byteCount: UInt, format: StreamFormat
  ) throws(ImagingError) -> [UInt8] {
    guard result == 0, let output else {
      throw ImagingError(
        .encoderFailed, subject: "\(format.pixelFormat.rawValue) frame of \(format.size)",
        problem: "could not be encoded", cause: String(cString: tjGetErrorStr2(handle)))
    }
    return Array(UnsafeBufferPointer(start: output, count: Int(byteCount)))
  }
}
