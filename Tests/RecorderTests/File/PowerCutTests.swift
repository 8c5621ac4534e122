import Devices
import Dispatch
import Foundation
import Recorder
import RecorderProgram
import TestSupport
import Testing

/// The recording's writes up to a moment, as a power cut leaves them in a file.
@Suite struct PowerCutTests {
  /// The file after a number of written bytes, and the last mark that was reported before.
  private struct Remains {
    var bytes: [UInt8] = []
    var mark: RecorderMark?

    init(_ entries: [JournalFile.Entry], written limit: Int) {
      var left = limit
      for entry in entries where left > 0 {
        switch entry {
        case .write(let position, let written):
          // A disk writes a sector of 512 bytes whole or not at all.
          let isSector = position / 512 == (position + written.count - 1) / 512
          let count = isSector && left < written.count ? 0 : min(left, written.count)
          bytes.put(Array(written.prefix(count)), at: position)
          left -= written.count
        case .truncated(let length): bytes.removeLast(max(0, bytes.count - length))
        case .mark(let reported): mark = reported
        case .synchronizationBegan, .synchronized: break
        }
      }
    }

    /// The file after some calls, of which the disk has done those before a synchronization.
    ///
    /// The disk has done the later writes wholly, up to a sector or not at all, each by itself.
    init(_ entries: ArraySlice<JournalFile.Entry>, using random: inout SeededGenerator) {
      var (begun, durable) = (0, 0)
      for (index, entry) in entries.enumerated() {
        if case .synchronizationBegan = entry { begun = index }
        if case .synchronized = entry { durable = begun }
      }
      for (index, entry) in entries.enumerated() {
        switch entry {
        case .write(let position, let written):
          var count = written.count
          if index > durable {
            let end = Int.random(in: position - 512...position + count + 512, using: &random)
            count = end >= position + count ? count : max(0, end / 512 * 512 - position)
          }
          if count > 0 { bytes.put(Array(written.prefix(count)), at: position) }
        case .truncated(let length): bytes.removeLast(max(0, bytes.count - length))
        case .mark(let reported): mark = reported
        case .synchronizationBegan, .synchronized: break
        }
      }
    }

    /// Whether the file plays from its beginning, with all frames that were reported as safe.
    func plays(_ frames: PaintedFrames, as path: String) throws -> Bool {
      try Data(bytes).write(to: URL(fileURLWithPath: path))
      let played = PlayedMovie(path: path).times
      let safe = frames.times.indices.filter { index in
        mark.map { frames.instant(index) < $0.instant } ?? false
      }
      return played.count >= safe.count && played == Array(frames.times.prefix(played.count))
    }
  }

  @Test func `what was reported as safe plays whatever the disk has done of the rest`() throws {
    let frames = PaintedFrames(seconds: 5, purpose: 8)
    let journal = JournalFile()
    _ = try RecordedMovie(frames.part, in: journal).record(frames)
    let entries = journal.entries[...]
    let unsynchronized = entries.filter { if case .synchronized = $0 { false } else { true } }[...]
    let first = try #require(entries.firstIndex { if case .mark = $0 { true } else { false } })
    let directory = TemporaryDirectory(on: .memory)
    let path = directory.path + "/movie.mp4"
    var random = TestSeed.generator(9)
    var broken = 0
    for number in 0..<1000 {
      let share = Double.random(in: 0...1, using: &random)
      func cut(_ all: ArraySlice<JournalFile.Entry>) -> ArraySlice<JournalFile.Entry> {
        all.prefix(first + 1 + Int(share * Double(all.count - first - 1)))
      }
      try #require(
        try Remains(cut(entries), using: &random).plays(frames, as: path),
        "seed \(TestSeed.value): cut \(number), \(cut(entries).count) of \(entries.count) calls")
      guard number < 100 else { continue }
      let isWhole = try Remains(cut(unsynchronized), using: &random).plays(frames, as: path)
      if !isWhole { broken += 1 }
    }
    #expect(broken > 10, "a recorder that synchronizes nothing would be found")
    withExtendedLifetime(directory) {}
  }

  @Test func `what was reported as safe plays after a cut anywhere`() async throws {
    let frames = PaintedFrames(seconds: 5, purpose: 4)
    let journal = JournalFile()
    _ = try RecordedMovie(frames.part, in: journal).record(frames)
    let entries = journal.entries
    let total = entries.reduce(0) { sum, entry in
      if case .write(_, let bytes) = entry { sum + bytes.count } else { sum }
    }
    let first = try #require(journal.marks.first).byteCount
    let directory = TemporaryDirectory(on: .memory)
    let path = directory.path + "/movie.mp4"
    var random = TestSeed.generator(5)
    for number in 0..<1000 {
      let cut = Int.random(in: first...total, using: &random)
      let remains = Remains(entries, written: cut)
      try #require(
        try remains.plays(frames, as: path),
        "seed \(TestSeed.value): a cut after \(cut) of \(total) bytes")
      if number % 200 == 0 {
        let tool = try await Tool.run(
          "ffprobe",
          [
            "-v", "quiet", "-count_frames", "-show_entries", "stream=nb_read_frames", "-of",
            "csv=p=0", path,
          ])
        let text = tool.output.filter(\.isNumber)
        let safe = frames.times.indices.count { index in
          remains.mark.map { frames.instant(index) < $0.instant } ?? false
        }
        #expect((Int(text) ?? 0) >= safe, "seed \(TestSeed.value): \(cut) of \(total)")
      }
    }
    withExtendedLifetime(directory) {}
  }

  @Test func `nothing is safe before its synchronization`() throws {
    let frames = PaintedFrames(purpose: 6)
    let journal = JournalFile()
    _ = try RecordedMovie(frames.part, in: journal).record(frames)
    var (written, begun, durable) = (0, 0, 0)
    var marks = journal.marks[...]
    for entry in journal.entries {
      switch entry {
      case .write(let position, let bytes):
        // Bytes that replace others make a fragment part of the movie.
        if position < written { #expect(try #require(marks.first).byteCount <= durable) }
        written = max(written, position + bytes.count)
      case .synchronizationBegan: begun = written
      case .synchronized: durable = begun
      case .mark(let mark):
        #expect(mark.byteCount <= durable)
        marks.removeFirst()
      case .truncated: Issue.record("a file without a fault was cut")
      }
    }
    #expect(journal.marks.count >= 3)
    #expect(journal.marks.last?.byteCount == journal.bytes.count)
  }

  @Test func `a synchronization that fails ends the part and is not repeated`() throws {
    let journal = JournalFile(lastSynchronization: 4)
    let movie = try RecordedMovie(PaintedFrames().part, in: journal)
    let failure = #expect(throws: RecorderFailure.self) {
      try movie.record(PaintedFrames(seconds: 6))
    }
    #expect(failure?.description.contains("Input/output error") == true)
    #expect(journal.marks.count == 2)
    #expect(journal.synchronizationCount == 5)
  }

  @Test func `a disk that falls behind is told once, and holds no frame back`() throws {
    let gate = DispatchSemaphore(value: 0)
    let journal = JournalFile(gate: gate)
    let frames = PaintedFrames(seconds: 8)
    let clock = ManualClock()
    let movie = try RecordedMovie(frames.part, in: journal, clock: clock)
    var (written, told): (Int64?, Int64?)
    for index in frames.times.indices {
      clock.advance(by: .microseconds(frames.times[index] - frames.times[max(0, index - 1)]))
      try movie.add(frames.bytes(index), at: frames.instant(index))
      if journal.hasFragment { written = written ?? frames.times[index] }
      if !movie.sentences.isEmpty { told = told ?? frames.times[index] }
    }
    #expect(journal.marks.isEmpty)
    let beginning = try #require(written)
    // An encoder may give a frame with the next one only, which comes at most 55 ms later.
    #expect((940_000...1_060_000).contains(beginning), "seed \(TestSeed.value)")
    #expect(
      told == frames.times.first { $0 > beginning + 2_000_000 }, "seed \(TestSeed.value)")
    #expect(
      movie.sentences == [
        "The disk is more than two seconds behind, so a power cut would lose more of the recording "
          + "than its last second."
      ])
    for _ in 0..<100 { gate.signal() }
    #expect(try movie.close().frameCount == frames.times.count)
    #expect(journal.marks.count >= 8)
  }

  @Test func `a full disk ends the part and keeps its whole fragments`() async throws {
    try await withTemporaryDirectory { directory in
      let frames = PaintedFrames(seconds: 6, purpose: 7)
      let whole = JournalFile()
      _ = try RecordedMovie(frames.part, in: whole).record(frames)
      let third = whole.marks[2]
      let journal = JournalFile(capacity: third.byteCount + 1000)
      let movie = try RecordedMovie(frames.part, in: journal)
      let failure = #expect(throws: RecorderFailure.self) { try movie.record(frames) }
      #expect(
        failure?.description
          == "A recording's file cannot be written, so the part ends: No space left on device.")
      #expect(journal.bytes.count == third.byteCount)
      let path = directory + "/movie.mp4"
      try Data(journal.bytes).write(to: URL(fileURLWithPath: path))
      let played = try await ProbedMovie.probe(path).times
      let safe = frames.times.indices.filter { frames.instant($0) < third.instant }
      #expect(played == safe.map { frames.times[$0] }, "seed \(TestSeed.value)")
    }
  }
}
