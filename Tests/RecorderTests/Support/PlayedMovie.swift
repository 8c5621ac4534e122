import CFFmpeg
import Foundation
import TestSupport

/// The frames of a movie as libavformat reads them.
struct PlayedMovie {
  /// The frames' times in microseconds; empty for a file that is no movie.
  private(set) var times: [Int64] = []

  init(path: String) {
    var reader: UnsafeMutablePointer<AVFormatContext>?
    guard avformat_open_input(&reader, path, nil, nil) == 0 else { return }
    defer { avformat_close_input(&reader) }
    var packet = av_packet_alloc()
    defer { av_packet_free(&packet) }
    guard let reader, let stream = reader.pointee.streams?[0], let packet else { return }
    let base = AVRational(num: 1, den: 1_000_000)
    while av_read_frame(reader, packet) == 0 {
      // The demuxer gives a frame that the file's end has cut.
      if packet.pointee.flags & AV_PKT_FLAG_CORRUPT == 0 {
        times.append(av_rescale_q(packet.pointee.pts, stream.pointee.time_base, base))
      }
      av_packet_unref(packet)
    }
  }
}

/// A movie as ffprobe describes it.
struct ProbedMovie: Decodable {
  struct Stream: Decodable {
    struct SideData: Decodable {
      var rotation: Double?
    }

    var codec_name: String
    var profile: String
    var width: Int
    var height: Int
    var has_b_frames: Int
    var color_range: String?
    var color_space: String?
    var nb_read_frames: String?
    var nb_frames: String?
    var side_data_list: [SideData]?
  }

  struct Packet: Decodable {
    var pts_time: String
    var flags: String
  }

  struct Format: Decodable {
    var format_name: String
    var duration: String
  }

  var streams: [Stream]
  var packets: [Packet]
  var format: Format

  /// Reads a file, whose frames are all decoded.
  ///
  /// - Throws: ``Tool/Failure`` when ffprobe fails or complains.
  static func probe(_ path: String) async throws -> ProbedMovie {
    let arguments = [
      "-v", "error", "-count_frames", "-show_streams", "-show_packets", "-show_format", "-of",
      "json", path,
    ]
    let tool = try await Tool.run("ffprobe", arguments)
    let isSilent = tool.complaint.isEmpty
    _ = try Tool(
      exitCode: isSilent ? tool.exitCode : 1, outputData: tool.outputData,
      complaint: tool.complaint
    ).whenItSucceeded("ffprobe", arguments)
    return try JSONDecoder().decode(ProbedMovie.self, from: tool.outputData)
  }

  /// The frames' times in microseconds.
  var times: [Int64] {
    packets.compactMap { Double($0.pts_time).map { Int64(($0 * 1e6).rounded()) } }
  }

  /// The times of the frames that begin a fragment.
  var keyTimes: [Int64] { zip(times, packets).filter { $1.flags.hasPrefix("K") }.map(\.0) }
}

/// A movie's pictures as FFmpeg's filters see them.
struct SeenMovie {
  /// The times in seconds at which the pictures become bright or dark.
  private(set) var flips: [Double] = []

  /// Decodes a file.
  init(_ path: String) async throws {
    let arguments = [
      "-v", "error", "-f", "lavfi", "-i", "movie=\(path),signalstats", "-show_entries",
      "frame=pts_time:frame_tags=lavfi.signalstats.YAVG", "-of", "csv=p=0",
    ]
    let seen = try await Tool.run("ffprobe", arguments).whenItSucceeded("ffprobe", arguments)
    var wasBright = false
    for line in seen.output.split(separator: "\n") {
      let numbers = line.split(separator: ",").compactMap { Double($0) }
      guard numbers.count == 2 else { continue }
      let isBright = numbers[1] > 165
      if isBright != wasBright { flips.append(numbers[0]) }
      wasBright = isBright
    }
  }
}
