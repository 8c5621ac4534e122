import CFFmpeg
import Devices
import Glibc
import Recorder

/// The camera's frames as the encoder's pictures, cut and converted where it must be.
///
/// Planar frames of the pictures' size are handed on as they are. An odd last column or row is left
/// out, because H.264 with halved chroma has none.
final class PictureSource {
  /// The size of the pictures, even numbers.
  let size: FrameSize
  /// The layout of the pictures.
  let encodedFormat: AVPixelFormat
  private let format: StreamFormat
  /// The size of the frames, even numbers.
  private let frame: FrameSize
  /// The size of the frame's middle that is taken, even numbers.
  private let part: FrameSize
  private let input: UnsafeMutablePointer<AVFrame>
  private let converted: UnsafeMutablePointer<AVFrame>
  private var scaler: OpaquePointer?
  private var decoder: UnsafeMutablePointer<AVCodecContext>?

  /// Makes a source for frames of a format.
  ///
  /// - Parameter size: the size of the pictures; `nil` for that of the frames.
  /// - Throws: ``RecorderFailure`` without memory or without a decoder for MJPEG.
  init(_ format: StreamFormat, size: FrameSize? = nil) throws(RecorderFailure) {
    guard let input = av_frame_alloc(), let converted = av_frame_alloc() else {
      throw RecorderFailure("There is no memory for a recording's pictures.")
    }
    self.format = format
    (self.input, self.converted) = (input, converted)
    let (whole, wanted) = (format.size.even, (size ?? format.size).even)
    (frame, self.size, part) = (whole, wanted, whole.middle(of: wanted))
    encodedFormat = format.pixelFormat == .nv12 ? AV_PIX_FMT_NV12 : AV_PIX_FMT_YUV420P
    if format.pixelFormat == .mjpeg { try openDecoder() }
  }

  deinit {
    var (input, converted): (UnsafeMutablePointer<AVFrame>?, UnsafeMutablePointer<AVFrame>?) =
      (input, converted)
    av_frame_free(&input)
    av_frame_free(&converted)
    sws_freeContext(scaler)
    avcodec_free_context(&decoder)
  }

  private func openDecoder() throws(RecorderFailure) {
    guard let codec = avcodec_find_decoder(AV_CODEC_ID_MJPEG) else {
      throw RecorderFailure("This machine's libavcodec has no decoder for MJPEG.")
    }
    decoder = avcodec_alloc_context3(codec)
    // A second thread would hold each picture back until the next.
    decoder?.pointee.thread_count = 1
    try check(avcodec_open2(decoder, codec, nil), "The decoder for MJPEG cannot be opened")
  }

  /// Returns a frame's picture, which is valid until the next one and as long as the bytes are.
  ///
  /// - Throws: ``RecorderFailure`` when the bytes are no frame.
  func picture(
    of bytes: UnsafeRawBufferPointer
  ) throws(RecorderFailure) -> UnsafeMutablePointer<AVFrame> {
    av_frame_unref(input)
    switch format.pixelFormat {
    case .yuv420: try lay(bytes, AV_PIX_FMT_YUV420P)
    case .nv12: try lay(bytes, AV_PIX_FMT_NV12)
    case .yuyv: try lay(bytes, AV_PIX_FMT_YUYV422)
    case .rgb: try lay(bytes, AV_PIX_FMT_RGB24)
    case .bgr: try lay(bytes, AV_PIX_FMT_BGR24)
    case .mjpeg: try decode(bytes)
    }
    if part != frame { try cut() }
    let isAsWanted = input.pointee.format == encodedFormat.rawValue && part == size
    return isAsWanted ? input : try convert()
  }

  /// Points at the planes in the frame's own memory, which the encoder copies.
  private func lay(
    _ bytes: UnsafeRawBufferPointer, _ layout: AVPixelFormat
  ) throws(RecorderFailure) {
    guard let base = bytes.baseAddress, bytes.count >= format.byteCount else {
      throw RecorderFailure(
        "A frame has \(bytes.count) bytes and \(format.byteCount) were due, so it is left out.")
    }
    let start = UnsafeMutableRawPointer(mutating: base).assumingMemoryBound(to: UInt8.self)
    let planes = format.planes.map { (start: start + $0.offset, step: Int32($0.bytesPerRow)) }
    input.pointee.data.0 = planes[0].start
    input.pointee.linesize.0 = planes[0].step
    if planes.count > 1 {
      input.pointee.data.1 = planes[1].start
      input.pointee.linesize.1 = planes[1].step
    }
    if planes.count > 2 {
      input.pointee.data.2 = planes[2].start
      input.pointee.linesize.2 = planes[2].step
    }
    setSize(input, layout, frame)
  }

  private func decode(_ bytes: UnsafeRawBufferPointer) throws(RecorderFailure) {
    var packet = av_packet_alloc()
    defer { av_packet_free(&packet) }
    guard let packet, let base = bytes.baseAddress, bytes.count <= 1 << 28,
      av_new_packet(packet, Int32(bytes.count)) == 0, let data = packet.pointee.data
    else { throw RecorderFailure("A JPEG image has no bytes, so it is left out.") }
    memcpy(data, base, bytes.count)
    let problem = "A JPEG image cannot be decoded and is left out"
    try check(avcodec_send_packet(decoder, packet), problem)
    try check(avcodec_receive_frame(decoder, input), problem)
    let decoded = FrameSize(width: Int(input.pointee.width), height: Int(input.pointee.height))
    guard decoded == format.size else {
      throw RecorderFailure("A JPEG image is \(decoded) and not \(format.size): it is left out.")
    }
    // These layouts differ only by their full range, which is to be kept.
    let plain: [AVPixelFormat: AVPixelFormat] = [
      AV_PIX_FMT_YUVJ420P: AV_PIX_FMT_YUV420P, AV_PIX_FMT_YUVJ422P: AV_PIX_FMT_YUV422P,
      AV_PIX_FMT_YUVJ444P: AV_PIX_FMT_YUV444P,
    ]
    let layout = AVPixelFormat(rawValue: input.pointee.format)
    input.pointee.color_range = AVCOL_RANGE_UNSPECIFIED
    setSize(input, plain[layout] ?? layout, frame)
  }

  /// Leaves the middle of the frame, without moving bytes.
  private func cut() throws(RecorderFailure) {
    input.pointee.crop_left = (frame.width - part.width) / 4 * 2
    input.pointee.crop_right = frame.width - part.width - input.pointee.crop_left
    input.pointee.crop_top = (frame.height - part.height) / 4 * 2
    input.pointee.crop_bottom = frame.height - part.height - input.pointee.crop_top
    try check(
      av_frame_apply_cropping(input, Int32(AV_FRAME_CROP_UNALIGNED)),
      "A frame cannot be cut and is left out")
  }

  private func convert() throws(RecorderFailure) -> UnsafeMutablePointer<AVFrame> {
    let problem = "A frame cannot be converted and is left out"
    if converted.pointee.width == 0 {
      setSize(converted, encodedFormat, size)
      try check(av_frame_get_buffer(converted, 0), problem)
    }
    // The encoder may still hold the picture before.
    try check(av_frame_make_writable(converted), problem)
    scaler = sws_getCachedContext(
      scaler, input.pointee.width, input.pointee.height,
      AVPixelFormat(rawValue: input.pointee.format), converted.pointee.width,
      converted.pointee.height, encodedFormat, SWS_BILINEAR, nil, nil, nil)
    guard let scaler else { throw RecorderFailure("\(problem): there is no converter for it.") }
    try check(sws_scale_frame(scaler, converted, input), problem)
    return converted
  }

  private func setSize(
    _ frame: UnsafeMutablePointer<AVFrame>, _ layout: AVPixelFormat, _ size: FrameSize
  ) {
    frame.pointee.format = layout.rawValue
    frame.pointee.width = Int32(size.width)
    frame.pointee.height = Int32(size.height)
  }
}

extension FrameSize {
  /// The size without an odd last column or row.
  fileprivate var even: FrameSize { FrameSize(width: width & ~1, height: height & ~1) }

  /// Returns the largest size within this one that has the shape of another, in even numbers.
  fileprivate func middle(of shape: FrameSize) -> FrameSize {
    let scale = min(
      Double(width) / Double(shape.width), Double(height) / Double(shape.height))
    // Rounded, so that a shape that differs by the rounding to even numbers loses nothing.
    func length(_ wanted: Int, within most: Int) -> Int {
      let length = Int((Double(wanted) * scale / 2).rounded()) * 2
      return abs(most - length) <= 2 ? most : min(most, length)
    }
    return FrameSize(
      width: length(shape.width, within: width), height: length(shape.height, within: height))
  }
}
