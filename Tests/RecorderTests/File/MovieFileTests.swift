import Devices
import Foundation
import Recorder
import TestSupport
import Testing

@testable import RecorderProgram

@Suite struct MovieFileTests {
  @Test func `a recording has the times of its frames`() async throws {
    try await withTemporaryDirectory { directory in
      let frames = PaintedFrames()
      let path = directory + "/movie.mp4"
      let part = try RecordedMovie(frames.part, in: try DescriptorFile(path: path)).record(frames)
      let movie = try await ProbedMovie.probe(path)
      let stream = try #require(movie.streams.first)
      #expect(movie.times == frames.times, "seed \(TestSeed.value)")
      #expect(stream.codec_name == "h264")
      #expect(stream.width == 320 && stream.height == 240)
      #expect(stream.has_b_frames == 0)
      #expect(stream.color_range == "pc" && stream.color_space == "smpte170m")
      #expect(stream.nb_read_frames == "\(frames.times.count)")
      #expect(stream.side_data_list?.isEmpty ?? true)
      #expect(part.frameCount == frames.times.count)
      #expect(part.encoder == "libx264 veryfast")
      let duration = try #require(Double(movie.format.duration))
      #expect(abs(duration - Double(part.duration.wholeNanoseconds) / 1e9) < 0.001)
      let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
      #expect(part.byteCount == size)
    }
  }

  @Test func `each fragment has at most one second`() async throws {
    try await withTemporaryDirectory { directory in
      let frames = PaintedFrames(seconds: 6, purpose: 2)
      let path = directory + "/movie.mp4"
      let journal = JournalFile()
      _ = try RecordedMovie(frames.part, in: journal).record(frames)
      try Data(journal.bytes).write(to: URL(fileURLWithPath: path))
      let keys = try await ProbedMovie.probe(path).keyTimes
      // The expected time of the next frame may be wrong by 40 ms.
      #expect(zip(keys, keys.dropFirst()).allSatisfy { $1 - $0 <= 1_040_000 }, "\(keys)")
      #expect(keys.count >= 6)
      let marks = journal.marks.map { PaintedFrames.start.duration(to: $0.instant) }
      #expect(marks.dropLast() == keys.dropFirst().map { .microseconds($0) }[...])
    }
  }

  @Test(arguments: [0, 90, 180, 270]) func `a player turns the picture`(
    rotation: Int
  ) async throws {
    try await withTemporaryDirectory { directory in
      let frames = PaintedFrames(seconds: 0.2)
      let path = directory + "/movie.mp4"
      var part = frames.part
      part.rotation = rotation
      let copyPath = directory + "/copy.mp4"
      let copy = try DescriptorFile(path: copyPath)
      let recorded = try RecordedMovie(part, in: try DescriptorFile(path: path), copy: copy).record(
        frames)
      for path in [path] + (recorded.form == .ordinaryCopy ? [copyPath] : []) {
        let picture = try await Tool.run(
          "ffmpeg",
          ["-v", "error", "-i", path, "-frames:v", "1", "-f", "rawvideo", "-pix_fmt", "gray", "-"])
        let samples = Array(picture.outputData)
        let width = rotation % 180 == 0 ? 320 : 240
        let height = 320 + 240 - width
        try #require(samples.count == width * height)
        func isBright(_ column: Int, _ row: Int) -> Bool { samples[row * width + column] > 128 }
        // The brighter half, at first on the right, turns clockwise.
        #expect(isBright(width - 20, 20) == [0, 270].contains(rotation), "\(rotation)")
        #expect(isBright(width - 20, height - 20) == [0, 90].contains(rotation), "\(rotation)")
        #expect(isBright(20, height - 20) == [90, 180].contains(rotation), "\(rotation)")
        #expect(isBright(20, 20) == [180, 270].contains(rotation), "\(rotation)")
      }
    }
  }

  @Test func `a closed recording is an ordinary movie, in the file or in its copy`() async throws {
    try await withTemporaryDirectory { directory in
      let frames = PaintedFrames(purpose: 3)
      let path = directory + "/movie.mp4"
      let copyPath = directory + "/copy.mp4"
      let copy = try DescriptorFile(path: copyPath)
      let part = try RecordedMovie(frames.part, in: try DescriptorFile(path: path), copy: copy)
        .record(frames)
      #expect(part.form == .ordinary || part.form == .ordinaryCopy)
      let ordinary = part.form == .ordinary ? path : copyPath
      let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: ordinary)))
      let boxes = movieBoxes(of: bytes)
      #expect(boxes.filter { $0 == "moov" }.count == 1)
      #expect(!boxes.contains("moof"))
      let movie = try await ProbedMovie.probe(ordinary)
      #expect(movie.times == frames.times, "seed \(TestSeed.value)")
      #expect(movie.streams.first?.nb_read_frames == "\(frames.times.count)")
      #expect(part.byteCount == bytes.count)
    }
  }

  @Test func `a closed recording of hours is an ordinary movie with the times of its frames`()
    async throws
  {
    try await withTemporaryDirectory { directory in
      var frames = PaintedFrames(size: FrameSize(width: 64, height: 48), seconds: 0)
      // The longest time between two frames is beyond the middle.
      frames.times = (0..<60).map { $0 * 60_000_000 } + (89..<150).map { $0 * 60_000_000 }
      let (path, copyPath) = (directory + "/movie.mp4", directory + "/copy.mp4")
      let movie = try RecordedMovie(
        frames.part, in: try DescriptorFile(path: path), copy: try DescriptorFile(path: copyPath))
      let part = try movie.record(frames)
      #expect(movie.sentences == [] && part.form != .fragmented)
      for path in [path] + (part.form == .ordinaryCopy ? [copyPath] : []) {
        #expect(try await ProbedMovie.probe(path).times == frames.times)
      }
    }
  }

  @Test func `a long copy reaches the disk part by part, with a word after each`() throws {
    let frames = PaintedFrames(seconds: 1)
    var part = frames.part
    part.bitRate = 100_000_000
    let journal = JournalFile()
    let movie = try RecordedMovie(part, in: journal)
    var random = TestSeed.generator(14)
    let noise = frames.bytes(0).map { _ in UInt8.random(in: 0...255, using: &random) }
    for index in frames.times.indices {
      let begin = index * 4099 % noise.count
      try movie.add(Array(noise[begin...] + noise[..<begin]), at: frames.instant(index))
    }
    let count = Int64(try movie.close().byteCount)
    let copy = JournalFile()
    var told: [Int] = []
    let step = 1 << 16
    _ = try OrdinaryCopy.make(
      of: journal, byteCount: count, in: copy, rotation: 0, step: Int64(step)
    ) { told.append(copy.synchronizationCount) }
    let last = try #require(told.last)
    // The first frame may be longer than a step.
    #expect(last > 1 && zip([0] + told, told).allSatisfy { $1 - $0 <= 1 })
    var (pending, longest) = (0, 0)
    for entry in copy.entries {
      switch entry {
      case .write(_, let bytes):
        pending += bytes.count
        longest = max(longest, pending)
      case .synchronized: pending = 0
      case .synchronizationBegan, .truncated, .mark: break
      }
    }
    // The frame that passes the step belongs to its part, and is not longer than twice its bytes.
    #expect(longest <= step + 2 * noise.count && longest < copy.bytes.count / 2)
    let whole = JournalFile()
    _ = try OrdinaryCopy.make(of: journal, byteCount: count, in: whole, rotation: 0) {}
    #expect(copy.bytes == whole.bytes)
  }

  @Test func `a recording with a bad block has no copy`() throws {
    let frames = PaintedFrames(seconds: 3)
    let journal = JournalFile()
    let count = try RecordedMovie(frames.part, in: journal).record(frames).byteCount
    let types = ["moof", "mdat"].flatMap { Data(journal.bytes).ranges(of: Data($0.utf8)) }
    #expect(types.count > 4)
    for type in types {
      let begin = type.lowerBound - 4
      let length = journal.bytes[begin..<type.lowerBound].reduce(0) { $0 << 8 | Int($1) }
      for bad in [begin..<begin + 3, begin + length - 3..<begin + length] {
        let source = JournalFile(badBlock: bad)
        try source.put(journal.bytes)
        #expect(throws: RecorderFailure.self, "\(bad) of \(count)") {
          try OrdinaryCopy.make(
            of: source, byteCount: Int64(count), in: JournalFile(), rotation: 0
          ) {}
        }
      }
    }
  }

  @Test func `a part without frames leaves an empty file`() throws {
    let journal = JournalFile()
    let part = try RecordedMovie(PaintedFrames().part, in: journal).close()
    #expect(part.frameCount == 0 && part.duration == .zero && part.byteCount == 0)
    #expect(journal.bytes.isEmpty)
  }
}
