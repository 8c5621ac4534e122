import CFFmpeg
import Recorder

/// An AAC encoder (FFmpeg's own) for sound of ``SoundDrift/rate`` samples a second.
class SoundEncoder {
  /// The samples of a packet.
  static let packetSampleCount = 1024
  /// The unit of packets' times: a sample.
  static let timeBase = AVRational(num: 1, den: Int32(SoundDrift.rate))
  /// The bits a second of each channel.
  private static let channelBitRate: Int64 = 64_000

  /// The number of channels, 1 or 2.
  let channelCount: Int
  private let context: UnsafeMutablePointer<AVCodecContext>
  private let frame: UnsafeMutablePointer<AVFrame>

  /// Opens an encoder.
  ///
  /// - Throws: ``RecorderFailure`` when it cannot be opened.
  init(channelCount: Int) throws(RecorderFailure) {
    guard let codec = avcodec_find_encoder(AV_CODEC_ID_AAC),
      let context = avcodec_alloc_context3(codec), let frame = av_frame_alloc()
    else {
      throw RecorderFailure(
        "This machine's libavcodec has no encoder for AAC, \(RecorderFailure.withoutSound).")
    }
    (self.context, self.frame, self.channelCount) = (context, frame, channelCount)
    var layout = AVChannelLayout()
    av_channel_layout_default(&layout, Int32(channelCount))
    context.pointee.ch_layout = layout
    context.pointee.sample_fmt = AV_SAMPLE_FMT_FLTP
    context.pointee.sample_rate = Int32(SoundDrift.rate)
    context.pointee.time_base = SoundEncoder.timeBase
    context.pointee.bit_rate = SoundEncoder.channelBitRate * Int64(channelCount)
    context.pointee.flags |= AV_CODEC_FLAG_GLOBAL_HEADER
    try check(
      avcodec_open2(context, codec, nil),
      "The encoder for AAC cannot be opened, \(RecorderFailure.withoutSound)")
    frame.pointee.ch_layout = layout
    frame.pointee.format = AV_SAMPLE_FMT_FLTP.rawValue
    frame.pointee.sample_rate = Int32(SoundDrift.rate)
    frame.pointee.nb_samples = Int32(SoundEncoder.packetSampleCount)
    try check(
      av_frame_get_buffer(frame, 0), "There is no memory for sound, \(RecorderFailure.withoutSound)"
    )
  }

  deinit {
    var (context, frame): (UnsafeMutablePointer<AVCodecContext>?, UnsafeMutablePointer<AVFrame>?) =
      (context, frame)
    av_frame_free(&frame)
    avcodec_free_context(&context)
  }

  /// Describes the stream to a muxer.
  func describe(_ parameters: UnsafeMutablePointer<AVCodecParameters>) throws(RecorderFailure) {
    try check(
      avcodec_parameters_from_context(parameters, context), "The sound cannot be described")
  }

  /// Takes the samples of a packet, whose channels alternate.
  ///
  /// - Parameter position: the place of the first sample.
  func send(_ samples: ArraySlice<Float>, at position: Int64) throws(RecorderFailure) {
    let problem = "The encoder for AAC took no sound, \(RecorderFailure.withoutSound)"
    // The encoder may still hold the samples before.
    try check(av_frame_make_writable(frame), problem)
    for (channel, plane) in [frame.pointee.data.0, frame.pointee.data.1].enumerated()
    where channel < channelCount {
      guard let plane else { throw RecorderFailure("\(problem): there is no memory.") }
      let values = UnsafeMutableRawPointer(plane).assumingMemoryBound(to: Float.self)
      var source = samples.startIndex + channel
      for index in 0..<SoundEncoder.packetSampleCount {
        values[index] = samples[source]
        source += channelCount
      }
    }
    frame.pointee.pts = position
    try check(avcodec_send_frame(context, frame), problem)
  }

  /// Takes the end of the sound.
  func finish() throws(RecorderFailure) {
    try check(
      avcodec_send_frame(context, nil),
      "The encoder for AAC did not end, \(RecorderFailure.withoutSound)")
  }

  /// Gives the next packet, whose time is that of its first sample.
  ///
  /// The first packet, of which a decoder makes the samples before the sound, has a negative time.
  ///
  /// - Returns: whether there is one now.
  func receive(_ packet: UnsafeMutablePointer<AVPacket>) throws(RecorderFailure) -> Bool {
    try receivePacket(
      packet, of: context, "The encoder for AAC gave no sound, \(RecorderFailure.withoutSound)")
  }
}
