import Devices
import TestSupport
import Testing

@testable import Capture

/// Random sequences of requests, frames, interruptions and answers of the writer.
@Suite struct MovieCampaignTests {
  private static let sequenceCount: UInt64 = 2000
  private let ends: [MovieEnd] = [.stopped, .tooHot, .sessionEnded]
  private let interruptions: [InterruptionReason] = [
    .cameraStalled, .cameraUnplugged, .storageFull, .thermalPressure,
  ]

  /// Sends a random input, or answers a call of the writer.
  private func step(
    _ bench: inout MovieBench, _ isStreaming: inout Bool, _ random: inout SeededGenerator
  ) {
    switch Int.random(in: 0..<60, using: &random) {
    case 0: bench.send(.pause)
    case 1...3: bench.send(.resume)
    case 4: bench.send(.interruptionBegan(interruptions.randomElement(using: &random) ?? .lamp))
    case 5...8:
      bench.send(.interruptionEnded(interruptions.randomElement(using: &random) ?? .lamp))
    case 9:
      isStreaming = false
      bench.send(.streamEnded)
    case 10, 11:
      isStreaming = true
      bench.send(.streamBegan(MovieBench.source))
    case 12: bench.pass(.milliseconds(Int.random(in: 0...2000, using: &random)))
    case 13:
      let state = ThermalState.allCases.dropLast().randomElement(using: &random) ?? .nominal
      bench.send(.constrained(ThermalPolicy().constraints(in: state).capture))
    case 14:
      guard Int.random(in: 0..<8, using: &random) == 0 else { break }
      bench.send(.stop(ends.randomElement(using: &random) ?? .stopped))
    case 15: bench.answer(fails: Int.random(in: 0..<3, using: &random) == 0)
    case 16: bench.answer(drops: true)
    case 17: bench.answerStore(fails: Int.random(in: 0..<3, using: &random) == 0)
    case 18...34: bench.answer()
    default:
      if isStreaming {
        bench.frame(after: .milliseconds(Int.random(in: -5...60, using: &random)))
      }
    }
  }

  /// Ends whatever keeps the recording from going on.
  private func mend(_ bench: inout MovieBench) {
    bench.send(.resume)
    for reason in interruptions { bench.send(.interruptionEnded(reason)) }
    bench.send(.streamBegan(MovieBench.source))
    bench.send(.constrained(.none))
    bench.answerAll()
    // After failures, the next attempt waits up to three seconds.
    for _ in 0..<100 where bench.outcomes.isEmpty { bench.film(1) }
  }

  @Test func `whatever happens, a recording has one outcome and no rule is broken`() {
    var (storedCount, gapCount, faultCount) = (0, 0, 0)
    for index in 0..<Self.sequenceCount {
      let name = Comment(rawValue: "seed \(TestSeed.value), sequence \(index)")
      var random = TestSeed.generator(index)
      var bench = MovieBench()
      var isStreaming = true
      for _ in 0..<Int.random(in: 20...400, using: &random) {
        step(&bench, &isStreaming, &random)
      }
      mend(&bench)
      if bench.outcomes.isEmpty {
        #expect(bench.status.state == .recording, name)
        let kept = bench.spans.reduce(.zero) { $0 + $1.first.duration(to: $1.last) }
        let open = bench.file.last.flatMap { bench.file.first?.duration(to: $0) } ?? .zero
        #expect(bench.status.elapsed == kept + open, name)
      }
      bench.send(.stop(.stopped))
      bench.answerAll()
      bench.film(3)
      #expect(bench.outcomes.count == 1, name)
      #expect(bench.brokenRules == [], name)
      check(bench, name)
      guard let movie = bench.stored else { continue }
      storedCount += 1
      gapCount += movie.gaps.count
      faultCount += movie.gaps.filter(\.isFault).count
    }
    #expect(storedCount > 1000 && gapCount > faultCount && faultCount > 1000)
  }

  /// Compares the outcome with the files.
  private func check(_ bench: MovieBench, _ name: Comment) {
    guard let movie = bench.stored else {
      #expect(bench.spans.isEmpty, name)
      return
    }
    #expect(movie.parts.map(\.number) == bench.spans.map(\.part), name)
    #expect(movie.parts.allSatisfy { $0.itemID != nil }, name)
    #expect(movie.frameCount + movie.droppedFrameCount >= bench.appendedCount, name)
    for (before, after) in zip(bench.spans, bench.spans.dropFirst()) {
      let between = movie.gaps.filter {
        $0.beganAt == before.last && $0.endedAt == after.first && !$0.reasons.isEmpty
      }
      #expect(between.count == 1, name)
    }
    #expect(movie.gaps.count <= bench.spans.count + 1, name)
    for (gap, next) in zip(movie.gaps, movie.gaps.dropFirst()) {
      #expect(gap.endedAt <= next.beganAt, name)
    }
    let missing = movie.gaps.reduce(.zero) { $0 + $1.beganAt.duration(to: $1.endedAt) }
    #expect(movie.duration + missing <= movie.beganAt.duration(to: movie.endedAt), name)
  }
}
