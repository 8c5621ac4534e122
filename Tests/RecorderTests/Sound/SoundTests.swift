import Devices
import Foundation
import Recorder
import TestSupport
import Testing

@testable import RecorderProgram

/// Recordings with sound, heard by FFmpeg's programs.
@Suite struct SoundTests {
  private static let size = FrameSize(width: 64, height: 48)

  /// Checks that a file's tracks have the same length, and that each click is at its second.
  private func expectTogether(_ path: String, seconds: Int, within tolerance: Double) async throws {
    let heard = try await HeardMovie(path)
    #expect(heard.tracks.map(\.codec_name) == ["h264", "aac"])
    let lengths = heard.tracks.map(\.seconds)
    #expect(abs((lengths.first ?? 0) - (lengths.last ?? 0)) < 0.02, "\(lengths)")
    #expect(lengths.allSatisfy { $0 > Double(seconds) }, "\(lengths)")
    // The first packet has no other before it, of which its first half would be made.
    let clicks = heard.clicks.filter { $0 > 0.5 }
    #expect(clicks.count == seconds, "\(clicks), seed \(TestSeed.value)")
    for (index, click) in clicks.enumerated() {
      #expect(abs(click - Double(index + 1)) < tolerance, "\(clicks), seed \(TestSeed.value)")
    }
  }

  @Test(arguments: [
    SoundFormat(rate: 48_000, channelCount: 1, sampleByteCount: 2),
    SoundFormat(rate: 44_100, channelCount: 2, sampleByteCount: 4),
  ]) func `sound and picture end and sound together`(format: SoundFormat) async throws {
    try await withTemporaryDirectory { directory in
      let path = directory + "/movie.mp4"
      let copyPath = directory + "/copy.mp4"
      let (movie, part) = try RecordedMovie.record(
        PaintedFrames(size: Self.size, seconds: 5.4, purpose: 62), TestMicrophone(format),
        in: try DescriptorFile(path: path), copy: try DescriptorFile(path: copyPath))
      #expect(movie.sentences.isEmpty && movie.soundEnd == nil)
      for path in [path] + (part.form == .ordinaryCopy ? [copyPath] : []) {
        try await expectTogether(path, seconds: 5, within: 0.003)
        let pictures = try #require(try await HeardMovie(path).tracks.first)
        #expect(abs(pictures.seconds - part.duration.inMilliseconds / 1000) < 0.001, "\(path)")
      }
      let heard = try await HeardMovie(path)
      #expect(heard.tracks.last?.channels == format.channelCount)
      #expect(heard.tracks.last?.sample_rate == "48000")
      #expect(abs(heard.frequency(1...5) - TestMicrophone.frequency) < 1)
      // The tone of a tenth has -20 dBFS.
      let levels = movie.soundLevels.dropFirst()
      #expect(levels.count >= 8 && levels.allSatisfy { (-20.2 ... -11).contains($0) }, "\(levels)")
    }
  }

  @Test(arguments: [-0.0015, 0.0015]) func `a card with a wrong clock is corrected`(
    error: Double
  ) async throws {
    try await withTemporaryDirectory { directory in
      let path = directory + "/movie.mp4"
      let microphone = TestMicrophone()
      (microphone.error, microphone.jitter) = (error, .milliseconds(3))
      // Uncorrected, the last click would be 45 ms late or early.
      _ = try RecordedMovie.record(
        PaintedFrames(size: Self.size, seconds: 30.4, purpose: 63), microphone,
        in: try DescriptorFile(path: path))
      try await expectTogether(path, seconds: 30, within: 0.02)
      let frequency = try await HeardMovie(path).frequency(20...30)
      #expect(abs(frequency - TestMicrophone.frequency) < 2, "\(frequency)")
    }
  }

  @Test func `lost sound is silence, and the rest is at its time`() async throws {
    try await withTemporaryDirectory { directory in
      let path = directory + "/movie.mp4"
      let microphone = TestMicrophone()
      var isLost = false
      let (movie, _) = try RecordedMovie.record(
        PaintedFrames(size: Self.size, seconds: 5.4, purpose: 64), microphone,
        in: try DescriptorFile(path: path)
      ) { time in
        if time > 2.1, !isLost {
          isLost = true
          microphone.lose(.milliseconds(640))
        }
      }
      #expect(movie.soundEnd == nil)
      try await expectTogether(path, seconds: 5, within: 0.003)
      let heard = try await HeardMovie(path)
      let silence = heard.samples[Int(2.3 * 48_000)..<Int(2.6 * 48_000)]
      #expect(silence.allSatisfy { abs($0) < 0.01 })
    }
  }

  @Test func `an unplugged microphone ends the sound, and not the recording`() async throws {
    try await withTemporaryDirectory { directory in
      let path = directory + "/movie.mp4"
      let frames = PaintedFrames(size: Self.size, seconds: 5, purpose: 65)
      let microphone = TestMicrophone()
      let unplugged = RecorderFailure.sound("plughw:7", "it was unplugged")
      let (movie, part) = try RecordedMovie.record(
        frames, microphone, in: try DescriptorFile(path: path)
      ) {
        if $0 > 2.5 { microphone.failure = unplugged }
      }
      #expect(part.frameCount == frames.times.count)
      #expect(
        movie.soundEnd
          == "The microphone \"plughw:7\" gives no sound, and the movie is recorded without: "
          + "it was unplugged.")
      let heard = try await HeardMovie(path)
      #expect(heard.tracks.first?.nb_read_packets == "\(frames.times.count)")
      #expect(abs(Double(heard.samples.count) / 48_000 - 2.5) < 0.1)
      #expect(heard.clicks.filter { $0 > 0.5 }.count == 2)
    }
  }

  @Test func `an encoder of sound that fails ends the sound, and not the recording`() async throws {
    try await withTemporaryDirectory { directory in
      let (path, copyPath) = (directory + "/movie.mp4", directory + "/copy.mp4")
      let frames = PaintedFrames(size: Self.size, seconds: 5, purpose: 73)
      let (movie, part) = try RecordedMovie.record(
        frames, TestMicrophone(), in: try DescriptorFile(path: path),
        copy: try DescriptorFile(path: copyPath),
        soundEncoder: FailingSoundEncoder.init(channelCount:))
      #expect(part.frameCount == frames.times.count && movie.sentences.isEmpty)
      #expect(
        movie.soundEnd
          == "The encoder for AAC took no sound, and the movie is recorded without: "
          + "Invalid argument.")
      for path in [path] + (part.form == .ordinaryCopy ? [copyPath] : []) {
        let heard = try await HeardMovie(path)
        #expect(heard.tracks.first?.nb_read_packets == "\(frames.times.count)")
        #expect(abs(Double(heard.samples.count) / 48_000 - 2.5) < 0.1)
        #expect(heard.clicks.filter { $0 > 0.5 }.count == 2)
      }
    }
  }

  @Test func `a microphone that cannot be opened leaves a recording without sound`() async throws {
    try await withTemporaryDirectory { directory in
      let path = directory + "/movie.mp4"
      let frames = PaintedFrames(size: Self.size, seconds: 1, purpose: 66)
      var part = frames.part
      part.sound = "plughw:7"
      let movie = try RecordedMovie(part, in: try DescriptorFile(path: path))
      #expect(try movie.record(frames).frameCount == frames.times.count)
      #expect(movie.soundEnd?.hasSuffix("is recorded without: the test has none.") == true)
      #expect(try await HeardMovie(path).tracks.map(\.codec_name) == ["h264"])
    }
  }

  @Test func `silence is recorded, and has the lowest level`() async throws {
    try await withTemporaryDirectory { directory in
      let path = directory + "/movie.mp4"
      let microphone = TestMicrophone()
      microphone.isSilent = true
      let (movie, _) = try RecordedMovie.record(
        PaintedFrames(size: Self.size, seconds: 2, purpose: 67), microphone,
        in: try DescriptorFile(path: path))
      #expect(Set(movie.soundLevels) == [-96])
      let heard = try await HeardMovie(path)
      #expect(heard.tracks.count == 2 && heard.samples.allSatisfy { abs($0) < 0.001 })
    }
  }

  @Test(arguments: [
    (0.7, "it does not give as many samples a second as it says"), (0.0, "none has come for 3 s"),
  ]) func `a microphone that gives too little ends the sound`(
    share: Double, cause: String
  ) throws {
    let frames = PaintedFrames(size: Self.size, seconds: 15, purpose: 68)
    let microphone = TestMicrophone()
    microphone.share = share
    let (movie, part) = try RecordedMovie.record(frames, microphone, in: JournalFile())
    #expect(part.frameCount == frames.times.count)
    #expect(movie.soundEnd?.hasSuffix(": \(cause).") == true, "\(movie.soundEnd ?? "none")")
  }

  @Test func `a file that was cut plays with its sound up to the last whole second`() async throws {
    try await withTemporaryDirectory { directory in
      let path = directory + "/movie.mp4"
      let journal = JournalFile()
      let frames = PaintedFrames(size: Self.size, seconds: 6, purpose: 69)
      _ = try RecordedMovie.record(frames, TestMicrophone(), in: journal)
      // The power is cut in the fragment behind the fourth one that was safe.
      var (bytes, marks) = ([UInt8](), [RecorderMark]())
      for entry in journal.entries {
        switch entry {
        case .write(let position, let written): bytes.put(written, at: position)
        case .mark(let mark): marks.append(mark)
        case .truncated, .synchronizationBegan, .synchronized: break
        }
        if marks.count == 4, bytes.count > (marks.last?.byteCount ?? 0) + 300 { break }
      }
      let safe = try #require(marks.last)
      try Data(bytes.prefix(safe.byteCount + 300)).write(to: URL(fileURLWithPath: path))
      let seconds = PaintedFrames.start.duration(to: safe.instant).inMilliseconds / 1000
      let heard = try await HeardMovie(path)
      #expect(heard.tracks.map(\.codec_name) == ["h264", "aac"])
      let length = Double(heard.samples.count) / 48_000
      #expect(length > seconds - 0.2 && length <= seconds + 0.02, "\(length) of \(seconds)")
      #expect(heard.clicks.filter { $0 > 0.5 }.count >= 3)
    }
  }

  @Test func `a long pause of the frames, in which sound is lost, does not end the sound`()
    async throws
  {
    try await withTemporaryDirectory { directory in
      let path = directory + "/movie.mp4"
      let microphone = TestMicrophone()
      var frames = PaintedFrames(size: Self.size, seconds: 4, purpose: 71)
      frames.times = frames.times.map { $0 < 2_000_000 ? $0 : $0 + 3_600_000 }
      var isLost = false
      let (movie, _) = try RecordedMovie.record(
        frames, microphone, in: try DescriptorFile(path: path)
      ) { time in
        if time > 5, !isLost {
          isLost = true
          microphone.lose(.milliseconds(3500))
          microphone.isRestarting = true
        }
      }
      #expect(movie.soundEnd == nil)
      let heard = try await HeardMovie(path)
      let seconds = heard.tracks.map(\.seconds)
      #expect(abs((seconds.first ?? 0) - (seconds.last ?? 0)) < 0.02, "\(seconds)")
      #expect(abs((heard.clicks.last ?? 0) - 7) < 0.003, "\(heard.clicks)")
    }
  }

  @Test func `fragments with sound become safe also when frames are seconds apart`() throws {
    let journal = JournalFile()
    var frames = PaintedFrames(size: Self.size, seconds: 1, purpose: 72)
    frames.times = (0..<10).map { $0 * 2_000_000 }
    _ = try RecordedMovie.record(frames, TestMicrophone(), in: journal)
    let marks = journal.marks.map {
      PaintedFrames.start.duration(to: $0.instant).inMilliseconds / 1000
    }
    #expect(zip([0] + marks, marks).allSatisfy { $1 - $0 <= 4 }, "\(marks)")
    #expect(marks.count >= 8, "\(marks)")
  }

  @Test func `each fragment with sound has at most one second`() throws {
    let journal = JournalFile()
    let frames = PaintedFrames(size: Self.size, seconds: 6, purpose: 70)
    _ = try RecordedMovie.record(frames, TestMicrophone(), in: journal)
    let marks = journal.marks.map {
      PaintedFrames.start.duration(to: $0.instant).inMilliseconds / 1000
    }
    #expect(marks.count >= 6)
    #expect(zip([0] + marks, marks).allSatisfy { $1 - $0 <= 1.04 }, "\(marks)")
  }
}
