import Synchronization
import Testing

@testable import Transfer
@testable import Upload

/// The time that an endpoint may take for an answer, on a clock of the test.
@Suite struct ProcessingReaderTests {
  private let journal = NotedProgress()

  /// Reads a stream of which one piece comes each second, and returns how it ends.
  ///
  /// - Returns: the number of pieces after which the transfer goes on, and the outcome.
  private func read(
    _ pieces: [String], stallTimeout: Duration
  ) -> (count: Int, outcome: ProcessingAnswer.Outcome) {
    let start = ContinuousClock.now
    let seconds = Mutex(0)
    let reader = ProcessingReader(
      sha256: "00", stallTimeout: stallTimeout,
      now: { start + .seconds(seconds.withLock { $0 }) }, note: { [journal] in journal.note($0) })
    let response = HTTPResponse(
      status: 200, headers: [HTTPHeader("Content-Type", "text/event-stream")])
    let count = pieces.prefix { piece in
      seconds.withLock { $0 += 1 }
      return Array(piece.utf8).withUnsafeBytes { reader.take(response, $0) }
    }.count
    return (count, reader.outcome(of: response))
  }

  @Test func `slow work that reports progress is waited for`() {
    let steps = (0..<12).map { "event: progress\ndata: {\"fraction\": 0.\($0)}\n\n" }
    let (count, outcome) = read(
      steps + ["event: done\ndata: {\"sha256\": \"00\"}\n\n"], stallTimeout: .seconds(10))
    #expect(count == 12, "the end of the work ends the transfer")
    #expect(outcome == .done(ProcessingAnswer.Done(result: nil, isChecked: true)))
    #expect(journal.progress.compactMap(\.fraction).count == 12)
  }

  @Test func `comments do not count as events`() {
    let comments = [String](repeating: ": alive\n\n", count: 20)
    let (count, outcome) = read(
      ["event: progress\ndata: {}\n\n"] + comments, stallTimeout: .seconds(10))
    #expect(count == 11)
    let failure = ProcessingAnswer.Failure(
      .timedOut, "it told nothing for \(Duration.seconds(10))")
    #expect(outcome == .failed(failure))
    #expect(failure.scope == .target)
  }
}
