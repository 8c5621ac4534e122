import CFFmpeg
import Devices
import Recorder

/// The copy of a fragmented file as an ordinary MP4 file, without a new encoding.
///
/// Only the newer libavformat can turn the recorded file itself into an ordinary one.
enum OrdinaryCopy {
  private struct Track {
    var from: UnsafeMutablePointer<AVStream>
    var to: UnsafeMutablePointer<AVStream>
  }

  /// Copies a closed file and forces the copy to stable storage, part by part.
  ///
  /// A slow card would take minutes for a long recording at once, without a word in between.
  ///
  /// - Parameters:
  ///   - step: the bytes after which the copy is forced to stable storage.
  ///   - advance: a closure that is called again and again while the copy goes on, also after each
  ///     part.
  /// - Returns: the copy's length in bytes.
  /// - Throws: ``RecorderFailure`` when a file cannot be read or written.
  static func make(
    of source: any MovieFile, byteCount: Int64, in target: any MovieFile, rotation: Int,
    step: Int64 = 16 << 20, advance: () -> Void
  ) throws(RecorderFailure) -> Int64 {
    let input = MovieStream(source, byteCount: byteCount)
    var reader = avformat_alloc_context()
    reader?.pointee.pb = try input.open(forWriting: false)
    try check(avformat_open_input(&reader, nil, nil, nil), "A recording cannot be read")
    defer { avformat_close_input(&reader) }
    let output = MovieStream(target)
    var writer: UnsafeMutablePointer<AVFormatContext>?
    try check(
      avformat_alloc_output_context2(&writer, nil, "mp4", nil), "An MP4 file cannot be made")
    defer { avformat_free_context(writer) }
    var packet = av_packet_alloc()
    defer { av_packet_free(&packet) }
    guard let reader, let writer, let packet else { throw .noMemory }
    writer.pointee.pb = try output.open(forWriting: true)
    var tracks: [Track] = []
    for index in 0..<Int(reader.pointee.nb_streams) {
      guard let from = reader.pointee.streams[index], let to = avformat_new_stream(writer, nil)
      else { throw .noMemory }
      try check(
        avcodec_parameters_copy(to.pointee.codecpar, from.pointee.codecpar),
        "A recording cannot be copied")
      to.pointee.codecpar.pointee.codec_tag = 0
      to.pointee.time_base = from.pointee.time_base
      // The pictures are the first track.
      if rotation != 0, index == 0 {
        try check(CFFmpeg_setRotation(to, Int32(rotation)), "A recording cannot be rotated")
      }
      tracks.append(Track(from: from, to: to))
    }
    try check(avformat_write_header(writer, nil), "A recording's copy cannot be written")
    var synchronizedCount: Int64 = 0
    while true {
      let result = av_read_frame(reader, packet)
      // A copy is whole or none, whatever the library makes of a failed reading.
      if let failure = input.failure {
        throw RecorderFailure("A recording cannot be read: \(failure).")
      }
      if result == CFFmpeg_end() { break }
      try check(result, "A recording cannot be read")
      let track = tracks[Int(packet.pointee.stream_index)]
      // The reader knows the end of each fragment, and gives no packet the time that it lasts. The
      // writer needs that time of the last packet, which no other follows. It takes 31 bits of it.
      if packet.pointee.duration <= 0 {
        let rest = max(0, track.from.pointee.duration - packet.pointee.dts)
        packet.pointee.duration = min(rest, Int64(Int32.max))
      }
      av_packet_rescale_ts(packet, track.from.pointee.time_base, track.to.pointee.time_base)
      packet.pointee.pos = -1
      try check(av_write_frame(writer, packet), "A recording's copy cannot be written")
      av_packet_unref(packet)
      if output.end - synchronizedCount >= step {
        do throws(SystemError) { try target.synchronize() } catch { throw .file(error) }
        synchronizedCount = output.end
      }
      advance()
    }
    try check(av_write_trailer(writer), "A recording's copy cannot be written")
    avio_flush(writer.pointee.pb)
    do throws(SystemError) {
      if let failure = output.failure { throw failure }
      try target.seal(output.takeOverwrites())
    } catch {
      throw .file(error)
    }
    return output.end
  }
}

extension RecorderFailure {
  fileprivate static var noMemory: RecorderFailure {
    RecorderFailure("There is no memory for a recording's copy.")
  }
}
