import Devices
import Foundation
import Recorder
import TestSupport
import Testing

@testable import RecorderProgram

/// Long recordings in virtual time, seen and heard by FFmpeg's programs.
///
/// At each whole second the picture becomes bright or dark, and the tone is loud for a moment. The
/// microphone has a clock of its own, and the times of frames and sound are irregular.
@Suite(.serialized) struct LongMovieTests {
  /// The length of a recording in seconds.
  ///
  /// The long one is longer than the microseconds that 32 bits can count.
  private static let seconds = Repetitions.of(120, brief: 120, long: 4500)
  private static let isLong = seconds > 4294
  /// The greatest difference between a change of the picture and its sound, in seconds.
  private static let tolerance = 0.02
  /// The most KiB of resident memory that may be added from the fifth minute to the end.
  private static let memorySlack = 4096

  /// Frames of about five a second, one of which is at each whole second.
  private var frames: PaintedFrames {
    var frames = PaintedFrames(size: FrameSize(width: 160, height: 120), seconds: 0)
    var random = TestSeed.generator(74)
    frames.times = (0...Int64(Self.seconds) * 5 + 2).map { index in
      index * 200_000 + (index % 5 == 0 ? 0 : Int64.random(in: -40_000...40_000, using: &random))
    }
    frames.isFlipping = true
    return frames
  }

  @Test(arguments: [-200.0, 200])
  func `a long movie stays together with its sound, and takes no more memory`(
    partsPerMillion: Double
  ) async throws {
    let directory = TemporaryDirectory(on: .memory)
    let (path, copyPath) = (directory.path + "/movie.mp4", directory.path + "/copy.mp4")
    let microphone = TestMicrophone(SoundFormat(rate: 8000, channelCount: 1, sampleByteCount: 2))
    (microphone.error, microphone.jitter) = (partsPerMillion / 1e6, .milliseconds(3))
    var looks: [ProcessFootprint] = []
    let moments = [Double(min(300, Self.seconds / 4)), Double(Self.seconds)]
    let frames = frames
    let (movie, part) = try RecordedMovie.record(
      frames, microphone, in: try DescriptorFile(path: path),
      copy: try DescriptorFile(path: copyPath)
    ) { time in
      if looks.count < 2, time >= moments[looks.count] { looks.append(.now) }
    }
    looks.append(.now)
    print(
      "figure: a movie of \(Self.seconds) s, the card \(partsPerMillion) ppm fast: "
        + "after \(moments[0]) s \(looks[0]); at the end \(looks[1]); closed \(looks[2])")
    #expect(movie.soundEnd == nil)
    #expect(movie.sentences == [])
    #expect(part.frameCount == frames.times.count)
    try await expectTogether(part.form == .ordinaryCopy ? copyPath : path)
    if Self.isLong {
      // The file that becomes an ordinary one itself has its index in memory until its end.
      let packetCount = frames.times.count + Self.seconds * SoundDrift.rate / 1024
      let indexSize = part.form == .ordinary ? packetCount * 64 / 1024 : 0
      #expect(looks[1].memory - looks[0].memory < Self.memorySlack + indexSize, "\(looks)")
    }
    withExtendedLifetime(directory) {}
  }

  private func expectTogether(_ path: String) async throws {
    let heard = try await HeardMovie(path, rate: 8000)
    let lengths = heard.tracks.map(\.seconds)
    #expect(lengths.count == 2 && abs(lengths[0] - lengths[1]) < Self.tolerance, "\(lengths)")
    // The first packet has no other before it, of which its first half would be made.
    let clicks = heard.clicks.filter { $0 > 0.5 }
    let flips = try await SeenMovie(path).flips
    try #require(flips.count == Self.seconds && clicks.count == Self.seconds)
    var worst = 0.0
    for (index, (flip, click)) in zip(flips, clicks).enumerated() {
      #expect(abs(flip - Double(index + 1)) < 0.001, "seed \(TestSeed.value)")
      worst = max(worst, abs(flip - click))
    }
    #expect(worst <= Self.tolerance, "\(worst) s, seed \(TestSeed.value)")
    print("figure: the sound of \(Self.seconds) s is at most \(Int(worst * 1000)) ms off")
  }
}
