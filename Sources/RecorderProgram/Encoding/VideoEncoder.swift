import CFFmpeg
import Devices
import Recorder

/// An H.264 encoder without B-frames, which gives frames in their order.
final class VideoEncoder {
  /// The kinds of encoders.
  enum Kind: Sendable, Hashable {
    /// The V4L2 encoder of the hardware, as a Raspberry Pi 4 has it.
    case hardware
    /// libx264 with a preset.
    case software(EncodingPace.Preset)
  }

  /// The encoder's name with its preset.
  let name: String
  private let context: UnsafeMutablePointer<AVCodecContext>

  /// Opens an encoder.
  ///
  /// - Parameters:
  ///   - picture: the frames' source, which knows their layout.
  ///   - part: the wishes.
  /// - Throws: ``RecorderFailure`` when this machine has no such encoder or it cannot be opened.
  init(
    _ kind: Kind, picture: PictureSource, part: RecorderPart
  ) throws(RecorderFailure) {
    let codecName = kind == .hardware ? RecorderPart.hardwareEncoder : "libx264"
    guard let codec = avcodec_find_encoder_by_name(codecName),
      let context = avcodec_alloc_context3(codec)
    else { throw RecorderFailure("This machine's libavcodec has no encoder \"\(codecName)\".") }
    self.context = context
    if case .software(let preset) = kind {
      name = "\(codecName) \(preset.rawValue)"
    } else {
      name = codecName
    }
    context.pointee.width = Int32(picture.size.width)
    context.pointee.height = Int32(picture.size.height)
    context.pointee.pix_fmt = picture.encodedFormat
    context.pointee.time_base = FragmentedMovie.timeBase
    context.pointee.framerate = av_d2q(part.frameRate, 1_000_000)
    context.pointee.max_b_frames = 0
    let colors = MovieColors(part.format)
    context.pointee.color_range = colors.range
    context.pointee.colorspace = colors.matrix
    context.pointee.color_primaries = colors.primaries
    context.pointee.color_trc = colors.transfer
    switch kind {
    case .hardware:
      context.pointee.bit_rate = Int64(part.bitRate)
      // For a driver that makes no key frame when asked.
      context.pointee.gop_size = Int32(min(part.frameRate.rounded(.up), 250))
    case .software(let preset):
      context.pointee.flags |= AV_CODEC_FLAG_GLOBAL_HEADER
      context.pointee.rc_max_rate = Int64(part.bitRate)
      context.pointee.rc_buffer_size = Int32(part.bitRate)
      // Key frames come when asked only.
      context.pointee.gop_size = 1 << 20
      for (option, value) in [
        "preset": preset.rawValue, "profile": "high", "crf": "23",
        "x264-params": VideoEncoder.parameters,
      ] {
        try check(
          av_opt_set(context.pointee.priv_data, option, value, 0),
          "The encoder \"\(codecName)\" cannot be set up")
      }
    }
    try check(
      avcodec_open2(context, codec, nil), "The encoder \"\(codecName)\" cannot be opened")
  }

  deinit {
    var context: UnsafeMutablePointer<AVCodecContext>? = context
    avcodec_free_context(&context)
  }

  /// The settings of libx264 for all presets.
  ///
  /// The first ones spare the delay of looking ahead. The others have all presets describe the
  /// stream alike, so that another one can go on in the same file.
  private static let parameters = [
    "rc-lookahead=0", "sync-lookahead=0", "sliced-threads=1", "mbtree=0", "scenecut=0",
    "cabac=1", "8x8dct=1", "weightp=0", "ref=1",
  ].joined(separator: ":")

  /// The stream's description for decoders; empty where the encoder gives it with its frames.
  var parameterSets: [UInt8] {
    guard let bytes = context.pointee.extradata else { return [] }
    return Array(UnsafeBufferPointer(start: bytes, count: Int(context.pointee.extradata_size)))
  }

  /// Describes the stream to a muxer.
  ///
  /// - Parameter first: the first encoded frame, which brings the description of an encoder that
  ///   has no other.
  func describe(
    _ parameters: UnsafeMutablePointer<AVCodecParameters>,
    first: UnsafeMutablePointer<AVPacket>
  ) throws(RecorderFailure) {
    let problem = "The encoder's stream cannot be described"
    try check(avcodec_parameters_from_context(parameters, context), problem)
    guard parameters.pointee.extradata_size == 0, let data = first.pointee.data else { return }
    let count = Int(first.pointee.size)
    guard let copy = av_mallocz(count + Int(AV_INPUT_BUFFER_PADDING_SIZE)) else {
      throw RecorderFailure("\(problem): there is no memory.")
    }
    copy.copyMemory(from: data, byteCount: count)
    parameters.pointee.extradata = copy.assumingMemoryBound(to: UInt8.self)
    parameters.pointee.extradata_size = Int32(count)
  }

  /// Takes a frame to encode, or `nil` at the end.
  func send(_ frame: UnsafeMutablePointer<AVFrame>?) throws(RecorderFailure) {
    try check(avcodec_send_frame(context, frame), "The encoder \"\(name)\" took no frame")
  }

  /// Gives the next encoded frame.
  ///
  /// - Returns: whether there is one now.
  func receive(_ packet: UnsafeMutablePointer<AVPacket>) throws(RecorderFailure) -> Bool {
    try receivePacket(packet, of: context, "The encoder \"\(name)\" gave no frame")
  }
}

/// Gives the next packet of an encoder.
///
/// - Parameter problem: the failure's sentence without its cause.
/// - Returns: whether there is one now.
func receivePacket(
  _ packet: UnsafeMutablePointer<AVPacket>, of context: UnsafeMutablePointer<AVCodecContext>,
  _ problem: String
) throws(RecorderFailure) -> Bool {
  let result = avcodec_receive_packet(context, packet)
  if result == CFFmpeg_error(EAGAIN) || result == CFFmpeg_end() { return false }
  try check(result, problem)
  return true
}
