import Devices
import Foundation
import Recorder
import TestSupport

@testable import RecorderProgram

/// A microphone before a loudspeaker that plays 997 Hz, eight times as loud for 10 ms each second.
///
/// The seconds are those of the frames. The microphone's own clock may be wrong.
final class TestMicrophone: Microphone {
  static let frequency = 997.0
  static let (quiet, loud) = (0.1, 0.8)

  let format: SoundFormat
  /// The present instant, up to which sound is there.
  var now: MonotonicInstant
  /// The share by which the clock is fast.
  var error = 0.0
  /// The greatest difference of a timestamp from the truth.
  var jitter = Duration.zero
  /// The share of the samples that come.
  var share = 1.0
  var isSilent = false
  /// Whether the next read gives nothing, as one that finds lost sound and restarts the card.
  var isRestarting = false
  /// The failure of the next reads.
  var failure: RecorderFailure?
  private let begin: MonotonicInstant
  private var count = 0
  private var lost = Duration.zero
  private var isAfterGap = false
  private var random = TestSeed.generator(61)

  /// Makes a microphone that starts before the first frame.
  init(_ format: SoundFormat = SoundFormat(rate: 48_000, channelCount: 1, sampleByteCount: 2)) {
    self.format = format
    begin = PaintedFrames.start.advanced(by: .milliseconds(-730))
    now = begin
  }

  /// Loses the sound of the present instant until a later one.
  func lose(_ duration: Duration) {
    lost += duration
    isAfterGap = true
  }

  func read() throws(RecorderFailure) -> SoundChunk? {
    if let failure { throw failure }
    if isRestarting {
      isRestarting = false
      return nil
    }
    let rate = Double(format.rate) * (1 + error)
    let origin = (PaintedFrames.start.duration(to: begin) + lost).inMilliseconds / 1000
    let elapsed = (begin.duration(to: now) - lost).inMilliseconds / 1000
    let samples = Int(elapsed * rate * share) - count
    guard samples > 0 else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(samples * format.frameByteCount)
    for index in count..<count + samples {
      let value = isSilent ? 0 : TestMicrophone.value(at: origin + Double(index) / rate)
      for _ in 0..<format.channelCount {
        if format.sampleByteCount == 2 {
          withUnsafeBytes(of: Int16(value * 32_767)) { bytes += $0 }
        } else {
          withUnsafeBytes(of: Int32(value * 2_147_483_000)) { bytes += $0 }
        }
      }
    }
    count += samples
    defer { isAfterGap = false }
    let shift = jitter * Double.random(in: -1...1, using: &random)
    return SoundChunk(bytes: bytes, end: now.advanced(by: shift), isAfterGap: isAfterGap)
  }

  private static func value(at time: Double) -> Double {
    let isLoud = time >= 0 && time - time.rounded(.down) < 0.01
    return sin(2 * .pi * frequency * time) * (isLoud ? loud : quiet)
  }
}

extension RecordedMovie {
  /// Records frames, each of which is seen 60 ms later, with a microphone.
  ///
  /// - Parameters:
  ///   - change: a closure that is called before each frame with its time in seconds.
  ///   - soundEncoder: a closure that makes the encoder of sound for a number of channels.
  static func record(
    _ frames: PaintedFrames, _ microphone: TestMicrophone, in file: any MovieFile,
    copy: (any MovieFile)? = nil, changing change: (Double) -> Void = { _ in },
    soundEncoder: (Int) throws(RecorderFailure) -> SoundEncoder = SoundEncoder.init(channelCount:)
  ) throws(RecorderFailure) -> (movie: RecordedMovie, part: RecordedPart) {
    var part = frames.part
    part.sound = "plughw:7"
    let movie = try RecordedMovie(
      part, in: file, copy: copy,
      microphone: { (_) throws(RecorderFailure) in microphone }, soundEncoder: soundEncoder)
    for (index, time) in frames.times.enumerated() {
      change(Double(time) / 1e6)
      microphone.now = frames.instant(index).advanced(by: .milliseconds(60))
      try movie.add(frames.bytes(index), at: frames.instant(index))
    }
    return (movie, try movie.close())
  }
}

/// An encoder of sound that fails from 2.5 seconds on.
final class FailingSoundEncoder: SoundEncoder {
  override func send(
    _ samples: ArraySlice<Float>, at position: Int64
  ) throws(RecorderFailure) {
    // libavcodec refuses samples that are no numbers.
    let isGood = position < Int64(SoundDrift.rate) * 5 / 2
    try super.send(
      isGood ? samples : ArraySlice(repeating: .nan, count: samples.count), at: position)
  }
}

/// A movie's tracks as ffprobe tells them, and its sound as ffmpeg decodes it.
struct HeardMovie {
  private struct Answer: Decodable { var streams: [Track] }

  /// A track.
  struct Track: Decodable {
    var codec_type: String
    var codec_name: String
    var sample_rate: String?
    var channels: Int?
    var duration: String?
    var nb_read_packets: String

    var seconds: Double { duration.flatMap { Double($0) } ?? 0 }
  }

  var tracks: [Track]
  /// The decoded samples of the first channel, 1 for full scale.
  var samples: [Double] = []
  /// The decoded samples a second.
  let rate: Int

  /// Reads a file.
  ///
  /// - Parameter rate: the samples a second to decode, fewer for a long movie.
  init(_ path: String, rate: Int = 48_000) async throws {
    self.rate = rate
    let probe = ["-v", "error", "-count_packets", "-show_streams", "-of", "json", path]
    let probed = try await Tool.run("ffprobe", probe).whenItSucceeded("ffprobe", probe)
    tracks = try JSONDecoder().decode(Answer.self, from: probed.outputData).streams
    guard tracks.contains(where: { $0.codec_type == "audio" }) else { return }
    let decode = [
      "-v", "error", "-i", path, "-map", "0:a", "-ac", "1", "-ar", "\(rate)", "-f", "s16le", "-",
    ]
    let decoded = try await Tool.run("ffmpeg", decode).whenItSucceeded("ffmpeg", decode)
    samples = decoded.outputData.withUnsafeBytes { bytes in
      bytes.bindMemory(to: Int16.self).map { Double($0) / 32_768 }
    }
  }

  /// The times in seconds at which the tone becomes loud.
  var clicks: [Double] {
    var (times, last) = ([Double](), -rate)
    for (index, sample) in samples.enumerated() where abs(sample) > 0.4 {
      if index - last > rate / 2 { times.append(Double(index) / Double(rate)) }
      last = index
    }
    return times
  }

  /// Returns the frequency of the tone in a time in seconds, from the changes of its sign.
  func frequency(_ time: ClosedRange<Double>) -> Double {
    let part = samples.dropFirst(Int(time.lowerBound * Double(rate)))
      .prefix(Int((time.upperBound - time.lowerBound) * Double(rate)))
    let changes = zip(part, part.dropFirst()).count { ($0 < 0) != ($1 < 0) }
    return Double(changes) / 2 / (time.upperBound - time.lowerBound)
  }
}
