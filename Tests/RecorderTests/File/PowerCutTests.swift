import Devices
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
      try Data(remains.bytes).write(to: URL(fileURLWithPath: path))
      let played = PlayedMovie(path: path).times
      let safe = frames.times.indices.filter { index in
        remains.mark.map { frames.instant(index) < $0.instant } ?? false
      }
      try #require(
        played.count >= safe.count && played == Array(frames.times.prefix(played.count)),
        "seed \(TestSeed.value): a cut after \(cut) of \(total) bytes")
      if number % 200 == 0 {
        let tool = try await Tool.run(
          "ffprobe",
          [
            "-v", "quiet", "-count_frames", "-show_entries", "stream=nb_read_frames", "-of",
            "csv=p=0", path,
          ])
        let text = tool.output.filter(\.isNumber)
        #expect((Int(text) ?? 0) >= safe.count, "seed \(TestSeed.value): \(cut) of \(total)")
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
