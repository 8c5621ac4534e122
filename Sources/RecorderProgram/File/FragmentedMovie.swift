import CFFmpeg
import Devices
import Recorder

/// An MP4 file that is written in fragments, and playable after each of them.
///
/// Where libavformat can (7.1), the closed file is an ordinary one: an index of all frames is
/// appended, and the header of the fragments then becomes that of one block of media.
final class FragmentedMovie {
  /// Whether the closed file is an ordinary MP4 file.
  let isOrdinaryWhenClosed: Bool
  private let stream: MovieStream
  private let context: UnsafeMutablePointer<AVFormatContext>
  private let track: UnsafeMutablePointer<AVStream>
  private let soundTrack: UnsafeMutablePointer<AVStream>?
  /// Whether the header is written, which comes with the first frame.
  private(set) var hasHeader = false
  /// The end of the file when a frame was written before.
  private var reportedEnd: Int64 = 0

  /// The microseconds of timestamps.
  static let timeBase = AVRational(num: 1, den: 1_000_000)

  /// The number of bytes that have been written.
  var byteCount: Int64 { stream.end }

  /// Makes a file without writing to it.
  ///
  /// - Parameter sound: the encoder of the sound; `nil` for a file without.
  /// - Throws: ``RecorderFailure`` without memory or muxer.
  init(
    _ file: any MovieFile, rotation: Int, sound: SoundEncoder? = nil
  ) throws(RecorderFailure) {
    stream = MovieStream(file)
    var made: UnsafeMutablePointer<AVFormatContext>?
    try check(avformat_alloc_output_context2(&made, nil, "mp4", nil), "An MP4 file cannot be made")
    guard let made, let track = avformat_new_stream(made, nil) else {
      avformat_free_context(made)
      throw RecorderFailure("There is no memory for a recording's file.")
    }
    (context, self.track) = (made, track)
    soundTrack = sound == nil ? nil : avformat_new_stream(made, nil)
    isOrdinaryWhenClosed =
      av_opt_find(made.pointee.priv_data, "hybrid_fragmented", "movflags", 0, 0) != nil
    // All properties are set from here on, so that a failure frees them.
    made.pointee.pb = try stream.open(forWriting: true)
    track.pointee.time_base = FragmentedMovie.timeBase
    if rotation != 0 {
      try check(CFFmpeg_setRotation(track, Int32(rotation)), "A recording cannot be rotated")
    }
    if let sound {
      guard let soundTrack else {
        throw RecorderFailure("There is no memory for a recording's file.")
      }
      soundTrack.pointee.time_base = SoundEncoder.timeBase
      try sound.describe(soundTrack.pointee.codecpar)
      soundTrack.pointee.codecpar.pointee.codec_tag = 0
    }
  }

  deinit { avformat_free_context(context) }

  /// Writes a frame, and before it the fragment that the frame's predecessors make.
  ///
  /// The first frame brings the header, for which some encoders only then have the data.
  ///
  /// - Returns: whether a fragment was written since the frame before, by this frame or by sound, so
  ///   that all earlier frames are in the file.
  /// - Throws: ``RecorderFailure`` when the file cannot be written.
  func write(
    _ packet: UnsafeMutablePointer<AVPacket>, from encoder: VideoEncoder
  ) throws(RecorderFailure) -> Bool {
    if !hasHeader {
      try writeHeader(encoder, packet)
      reportedEnd = stream.end
    }
    packet.pointee.stream_index = track.pointee.index
    av_packet_rescale_ts(packet, FragmentedMovie.timeBase, track.pointee.time_base)
    try checkFile(av_write_frame(context, packet))
    try flush()
    defer { reportedEnd = stream.end }
    return stream.end > reportedEnd
  }

  /// Writes a packet of sound; does nothing for a file without.
  ///
  /// - Throws: ``RecorderFailure`` when the file cannot be written.
  func writeSound(_ packet: UnsafeMutablePointer<AVPacket>) throws(RecorderFailure) {
    guard let soundTrack, hasHeader else { return }
    packet.pointee.stream_index = soundTrack.pointee.index
    av_packet_rescale_ts(packet, SoundEncoder.timeBase, soundTrack.pointee.time_base)
    try checkFile(av_write_frame(context, packet))
    try flush()
  }

  private func writeHeader(
    _ encoder: VideoEncoder, _ packet: UnsafeMutablePointer<AVPacket>
  ) throws(RecorderFailure) {
    try encoder.describe(track.pointee.codecpar, first: packet)
    // The muxer chooses the codec's tag.
    track.pointee.codecpar.pointee.codec_tag = 0
    var flags = "+frag_keyframe+empty_moov+default_base_moof"
    flags += isOrdinaryWhenClosed ? "+hybrid_fragmented" : "+skip_trailer"
    var options: OpaquePointer?
    av_dict_set(&options, "movflags", flags, 0)
    // An encoder that makes no key frames when asked still gets its fragments. Sound that comes in
    // bursts must not end one between two frames.
    let longest = FragmentSchedule.maximum + (soundTrack == nil ? 0 : 500_000)
    av_dict_set(&options, "frag_duration", "\(longest)", 0)
    let result = avformat_write_header(context, &options)
    av_dict_free(&options)
    hasHeader = true
    try checkFile(result)
    try flush()
  }

  /// Writes the last fragment and what belongs behind it; a file without frames stays empty.
  ///
  /// - Throws: ``RecorderFailure`` when the file cannot be written.
  func close() throws(RecorderFailure) {
    guard hasHeader else { return }
    try checkFile(av_write_trailer(context))
    try flush()
  }

  /// Returns the bytes without which what was written is not part of the movie.
  func takeOverwrites() -> [MovieOverwrite] { stream.takeOverwrites() }

  private func flush() throws(RecorderFailure) {
    avio_flush(context.pointee.pb)
    stream.beginBox()
    try checkFile(context.pointee.pb.pointee.error)
  }

  private func checkFile(_ result: Int32) throws(RecorderFailure) {
    if let failure = stream.failure { throw .file(failure) }
    try check(result, "A recording's file cannot be written")
  }
}

extension RecorderFailure {
  /// Makes the failure of a recording's file.
  static func file(_ error: SystemError) -> RecorderFailure {
    RecorderFailure("A recording's file cannot be written, so the part ends: \(error).")
  }
}

/// Throws unless a result of a library's function is 0 or more.
///
/// - Parameter problem: a clause that begins the sentence; the cause follows.
func check(_ result: Int32, _ problem: String) throws(RecorderFailure) {
  guard result < 0 else { return }
  let text = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 128) { buffer in
    guard let base = buffer.baseAddress, av_strerror(result, base, buffer.count) == 0 else {
      return "error \(result)"
    }
    return String(cString: base)
  }
  throw RecorderFailure("\(problem): \(text).")
}
