import CTurboJPEG
public import Devices

/// Makes JPEG images of camera frames with libjpeg-turbo's TurboJPEG API.
///
/// An encoder owns one TurboJPEG handle and its memory, which is reused from picture to picture;
/// it is not `Sendable`. An actor on a ``DispatchQueueExecutor`` owns one and makes the blocking
/// calls; several encoders work in parallel without knowing of each other.
public final class JPEGEncoder {
  /// The qualities that TurboJPEG takes, from smallest file to best picture.
  public static let qualities = 1...100

  private let handle: tjhandle
  private var planes = SamplePlanes()
  private var output: UnsafeMutablePointer<UInt8>?
  private var outputCapacity = 0

  /// Makes an encoder (`tjInitCompress`).
  ///
  /// - Throws: ``ImagingError``, code `encoderFailed`.
  public init() throws(ImagingError) {
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
  /// A YUV420 frame in ``ColorSpace/jpeg`` is compressed where it lies
  /// (`tjCompressFromYUVPlanes`); NV12 and YUYV are split into planes, other colour spaces
  /// converted to JFIF's, RGB and BGR left to `tjCompress2`. An MJPEG frame is not compressed
  /// again: it is checked, and completed with the standard Huffman tables if it has none.
  /// Chroma is halved both ways, except for YUYV, which keeps its rows. A luma-chroma frame whose
  /// colour space is ``ColorSpace/unspecified`` is taken as limited BT.601.
  ///
  /// - Parameters:
  ///   - bytes: the frame's bytes; only read during the call.
  ///   - format: what the bytes are.
  ///   - quality: 1...100, ignored for MJPEG.
  /// - Returns: a whole JFIF image, or the camera's own for MJPEG.
  /// - Throws: ``ImagingError``: `malformedFrame`, `malformedJPEG`, `unsupported`, `outOfMemory`
  ///   or `encoderFailed`; the encoder can be used again.
  /// - Complexity: O(pixels); blocks the calling thread for milliseconds to seconds.
  public func encode(
    bytes: UnsafeRawBufferPointer, format: StreamFormat, quality: Int
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
      return try compressPlanes(start, format: format, quality: quality)
    case .rgb:
      return try compressPixels(start, format: format, order: TJPF_RGB, quality: quality)
    case .bgr:
      return try compressPixels(start, format: format, order: TJPF_BGR, quality: quality)
    case .mjpeg:
      return try MotionJPEG.completed(bytes)
    }
  }

  private func compressPlanes(
    _ start: UnsafePointer<UInt8>, format: StreamFormat, quality: Int
  ) throws(ImagingError) -> [UInt8] {
    var prepared = planes.prepare(start, format: format)
    let sampling = prepared.sampling.turboJPEG
    try reserveOutput(format.size, sampling: sampling)
    var byteCount = UInt(outputCapacity)
    let result = tjCompressFromYUVPlanes(
      handle, &prepared.pointers, Int32(format.size.width), &prepared.bytesPerRow,
      Int32(format.size.height), sampling, &output, &byteCount, Int32(quality),
      TJFLAG_NOREALLOC | TJFLAG_ACCURATEDCT)
    return try finish(result, byteCount: byteCount, format: format)
  }

  private func compressPixels(
    _ start: UnsafePointer<UInt8>, format: StreamFormat, order: TJPF, quality: Int
  ) throws(ImagingError) -> [UInt8] {
    let sampling = ChromaSampling.halved.turboJPEG
    try reserveOutput(format.size, sampling: sampling)
    var byteCount = UInt(outputCapacity)
    let result = tjCompress2(
      handle, start, Int32(format.size.width), Int32(format.bytesPerRow),
      Int32(format.size.height), Int32(order.rawValue), &output, &byteCount, sampling,
      Int32(quality), TJFLAG_NOREALLOC | TJFLAG_ACCURATEDCT)
    return try finish(result, byteCount: byteCount, format: format)
  }

  /// Makes room for the worst case, so that TurboJPEG need not grow the buffer as it writes.
  ///
  /// Pages of it that no picture reaches are never touched and cost no memory.
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
