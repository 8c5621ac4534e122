import Devices
import TestSupport
import Testing

@testable import Capture

/// A recording's parts, gaps, limits and outcome.
@Suite struct MovieRecordingTests {
  /// A recording with ten frames in its first part.
  private func begun(
    _ settings: MovieSettings = MovieSettings(), constraints: CaptureConstraints = .none
  ) -> MovieBench {
    var bench = MovieBench(settings, constraints: constraints)
    bench.film(11)
    return bench
  }

  /// Ends the part by a pause, and records ten frames of the next one.
  private func beginNextPart(_ bench: inout MovieBench) {
    bench.send(.pause)
    bench.answerAll()
    bench.send(.resume)
    bench.film(11)
  }

  private func stop(_ bench: inout MovieBench) throws -> StoredMovie {
    bench.send(.stop(.stopped))
    bench.answerAll()
    #expect(bench.brokenRules == [])
    return try #require(bench.stored)
  }

  @Test func `a stopped recording is one part of all frames since the writer was ready`() throws {
    var bench = MovieBench()
    #expect(bench.status.state == .starting)
    bench.film(11)
    #expect(bench.status.state == .recording)
    #expect(bench.status.frameCount == 10, "the first frame only opens the part")
    #expect(bench.status.elapsed == .milliseconds(360))
    let movie = try stop(&bench)
    #expect(movie.end == .stopped && movie.gaps == [] && movie.droppedFrameCount == 0)
    #expect(movie.frameCount == 10 && movie.duration == .milliseconds(360))
    #expect(bench.status.state == .idle)
  }

  @Test func `a pause closes the part and is no fault`() throws {
    var bench = begun()
    bench.send(.pause)
    let paused = bench.now
    #expect(bench.status.state == .paused)
    bench.film(50)
    #expect(bench.parts.count == 1 && bench.status.elapsed == .milliseconds(360))
    bench.send(.resume)
    bench.film(11)
    #expect(bench.status.elapsed == .milliseconds(720), "only recorded time counts")
    let movie = try stop(&bench)
    #expect(movie.parts.map(\.frameCount) == [10, 10])
    let gap = try #require(movie.gaps.first)
    #expect(movie.gaps.count == 1 && gap.reasons == [.paused] && !gap.isFault)
    #expect(gap.beganAt == paused && gap.endedAt == paused.advanced(by: .milliseconds(52 * 40)))
  }

  @Test func `the next part begins by itself when all interruptions have ended`() throws {
    var bench = begun()
    bench.send(.interruptionBegan(.cameraStalled))
    bench.send(.streamEnded)
    bench.send(.interruptionBegan(.storageStalled))
    #expect(bench.status.state == .interrupted(.storageStalled), "the most important one")
    bench.send(.interruptionEnded(.cameraStalled))
    bench.send(.streamBegan(MovieBench.source))
    bench.film(5)
    #expect(bench.parts.count == 1)
    bench.send(.interruptionEnded(.storageStalled))
    bench.film(11)
    #expect(bench.status.state == .recording)
    let movie = try stop(&bench)
    #expect(movie.parts.count == 2 && movie.gaps.count == 1)
    let reasons: [MovieGap.Reason] = [
      .interrupted(.cameraStalled), .streamEnded, .interrupted(.storageStalled),
    ]
    #expect(movie.gaps.first?.reasons == reasons)
    #expect(movie.gaps.first?.isFault == true)
  }

  @Test func `an interruption that lasts until the end is a gap`() throws {
    var bench = begun()
    let last = bench.now
    bench.send(.interruptionBegan(.cameraUnplugged))
    bench.answerAll()
    bench.pass(.seconds(5))
    let movie = try stop(&bench)
    #expect(
      movie.gaps == [
        MovieGap(
          beganAt: last, endedAt: bench.now, reasons: [.interrupted(.cameraUnplugged)])
      ])
  }

  @Test func `a pause while the writer begins leaves an empty part that is not kept`() throws {
    var bench = MovieBench()
    bench.frame()
    bench.send(.pause)
    bench.answerAll()
    bench.send(.resume)
    bench.film(11)
    #expect(bench.parts.map(\.number) == [1, 2])
    let movie = try stop(&bench)
    #expect(movie.parts.map(\.number) == [2])
    #expect(movie.gaps.map(\.reasons) == [[.paused]])
  }

  @Test func `a slow writer loses frames that are counted`() throws {
    var bench = begun()
    for _ in 0..<10 { bench.frame() }
    #expect(bench.appendedCount == 14, "four frames of a ring of eight may wait")
    #expect(bench.status.droppedFrameCount == 6)
    bench.answer(drops: true)
    #expect(bench.status.droppedFrameCount == 7)
    bench.answerAll()
    let movie = try stop(&bench)
    #expect(movie.droppedFrameCount == 7 && movie.frameCount == 13 && movie.gaps == [])
  }

  @Test func `a frame that is older than the one before is no part of the movie`() throws {
    var bench = begun()
    bench.frame(after: .milliseconds(-60))
    #expect(bench.appendedCount == 10 && bench.status.droppedFrameCount == 1)
    _ = try stop(&bench)
  }

  // MARK: Storing

  @Test func `the next part is recorded while the one before is being stored`() throws {
    var bench = begun()
    bench.holdsStores = true
    beginNextPart(&bench)
    #expect(bench.status.state == .recording && bench.status.frameCount == 20)
    bench.send(.stop(.stopped))
    bench.answerAll()
    #expect(bench.outcomes.isEmpty && bench.status.state == .finishing)
    bench.answerStore()
    #expect(bench.outcomes.isEmpty, "the second part is not stored")
    bench.answerStore()
    #expect(bench.stored?.parts.map(\.itemID) == ["item-1", "item-2"])
    #expect(bench.stored?.gaps.map(\.reasons) == [[.paused]])
    #expect(bench.brokenRules == [])
  }

  @Test func `a part that cannot be stored is a gap, and the next one goes on`() throws {
    var bench = begun()
    bench.holdsStores = true
    beginNextPart(&bench)
    bench.answerStore(fails: true)
    #expect(bench.status.state == .recording && bench.status.droppedFrameCount == 10)
    #expect(bench.status.lostFrameCount == 10, "none of them lies in the part that goes on")
    bench.holdsStores = false
    let movie = try stop(&bench)
    #expect(movie.parts.map(\.number) == [2] && movie.droppedFrameCount == 10)
    #expect(movie.gaps.map(\.reasons) == [[.paused, .writerFailed(MovieBench.failure)]])
  }

  @Test func `a writer that dies and leaves nothing to store has failed once`() throws {
    var bench = begun()
    bench.holdsStores = true
    bench.frame()
    bench.answer(fails: true)
    bench.answerAll()
    bench.answerStore(fails: true)
    #expect(bench.status.writerFailureCount == 1)
    bench.holdsStores = false
    bench.pass(.seconds(1))
    bench.film(11)
    let movie = try stop(&bench)
    #expect(movie.parts.map(\.number) == [2])
    #expect(movie.gaps.map(\.reasons) == [[.writerFailed(MovieBench.failure)]])
  }

  @Test func `a recording of which no part can be stored is refused`() {
    var bench = begun()
    bench.holdsStores = true
    bench.send(.stop(.stopped))
    bench.answerAll()
    bench.answerStore(fails: true)
    #expect(bench.refusal == MovieBench.failure && bench.brokenRules == [])
  }

  @Test func `parts that fail to be stored one after the other end the recording`() {
    var bench = begun()
    bench.holdsStores = true
    for _ in 0..<3 { beginNextPart(&bench) }
    for _ in 0..<3 { bench.answerStore(fails: true) }
    bench.holdsStores = false
    bench.answerAll()
    #expect(bench.stored?.end == .writerFailed(MovieBench.failure))
    #expect(bench.stored?.parts.map(\.number) == [4] && bench.brokenRules == [])
  }

  // MARK: The writer's failures

  @Test func `a writer that dies is followed by another one after a second`() throws {
    var bench = begun()
    bench.frame()
    bench.answer(fails: true)
    bench.answerAll()
    #expect(bench.status.state == .starting)
    bench.film(20)
    #expect(bench.parts.count == 1)
    bench.film(10)
    #expect(bench.parts.count == 2 && bench.status.state == .recording)
    let movie = try stop(&bench)
    #expect(movie.parts.count == 2 && movie.droppedFrameCount == 1)
    #expect(movie.gaps.map(\.reasons) == [[.writerFailed(MovieBench.failure)]])
  }

  @Test func `a part that cannot be closed is a gap, and its frames are dropped`() throws {
    var bench = begun()
    let first = try #require(bench.file.first)
    bench.send(.pause)
    bench.answer(fails: true)
    bench.send(.resume)
    bench.pass(.seconds(1))
    bench.film(11)
    let movie = try stop(&bench)
    #expect(movie.parts.map(\.number) == [2] && movie.droppedFrameCount == 10)
    let gap = try #require(movie.gaps.first)
    #expect(movie.gaps.count == 1 && gap.beganAt < first && gap.isFault)
    #expect(gap.reasons == [.paused, .writerFailed(MovieBench.failure)])
  }

  @Test func `a writer that fails again and again ends the recording, which is kept`() {
    var bench = begun()
    bench.send(.pause)
    bench.answerAll()
    bench.send(.resume)
    for attempt in 1...3 {
      #expect(bench.outcomes.isEmpty, "attempt \(attempt)")
      bench.frame(after: .seconds(4))
      bench.answer(fails: true)
    }
    #expect(bench.stored?.end == .writerFailed(MovieBench.failure))
    #expect(bench.stored?.frameCount == 10)
    #expect(bench.brokenRules == [] && bench.outcomes.count == 1)
  }

  @Test func `a writer that cannot begin refuses the recording at once`() {
    var bench = MovieBench()
    bench.frame()
    bench.answer(fails: true)
    #expect(bench.refusal == MovieBench.failure)
    #expect(bench.brokenRules == [])
  }

  @Test func `a recording without a frame is refused`() {
    var bench = MovieBench()
    bench.frame()
    bench.send(.stop(.stopped))
    #expect(bench.status.state == .finishing)
    bench.answerAll()
    #expect(bench.refusal?.code == .nothingRecorded)
    #expect(bench.outcomes.count == 1 && bench.brokenRules == [])
  }

  // MARK: Limits and heat

  @Test func `a recording never exceeds its duration`() {
    var settings = MovieSettings()
    settings.limits.duration = .milliseconds(500)
    var bench = MovieBench(settings)
    bench.film(5)
    bench.send(.pause)
    bench.film(5)
    bench.send(.resume)
    bench.film(50)
    #expect(bench.stored?.end == .limit(.duration))
    #expect(bench.stored?.duration == .milliseconds(480))
    #expect(bench.brokenRules == [])
  }

  @Test func `bytes and free space end a recording`() {
    var settings = MovieSettings()
    settings.limits = MovieSettings.Limits(byteCount: 15_000, freeByteCount: 1_000_000)
    var bench = begun(settings)
    bench.send(.pause)
    bench.answerAll()
    bench.send(.resume)
    bench.film(2)
    #expect(bench.status.byteCount == 10_000)
    var other = bench
    bench.frame()
    bench.answer(progress: MovieProgress(byteCount: 5000, freeByteCount: 1_000_000))
    bench.answerAll()
    #expect(bench.stored?.end == .limit(.byteCount))
    other.frame()
    other.answer(progress: MovieProgress(byteCount: 10, freeByteCount: 999_999, soundLevel: -20))
    other.answerAll()
    #expect(other.stored?.end == .limit(.freeSpace))
  }

  @Test func `the status has the sound's level or its end, anew for each part`() {
    var bench = begun()
    bench.frame()
    bench.answer(progress: MovieProgress(byteCount: 10, soundLevel: -20))
    #expect(bench.status.soundLevel == -20 && bench.status.soundEnd == nil)
    bench.frame()
    bench.answer()
    #expect(bench.status.soundLevel == -20, "no news changes nothing")
    bench.frame()
    bench.answer(progress: MovieProgress(byteCount: 10, soundEnd: "It was unplugged."))
    #expect(bench.status.soundLevel == nil && bench.status.soundEnd == "It was unplugged.")
    bench.send(.pause)
    bench.answerAll()
    #expect(bench.status.soundEnd == nil)
    bench.send(.resume)
    bench.film(2)
    #expect(bench.status.state == .recording && bench.status.soundEnd == nil)
  }

  @Test func `heat lowers the rate at once and the size of the next part`() throws {
    var settings = MovieSettings()
    settings.preset = .fullFieldOfView
    var bench = begun(settings)
    let hot = ThermalPolicy().constraints(in: .serious).capture
    bench.send(.constrained(hot))
    bench.film(100)
    #expect((19...21).contains(bench.appendedCount - 10), "5 of 25 frames a second")
    #expect(bench.status.droppedFrameCount == 0, "unwanted frames are not dropped ones")
    bench.send(.pause)
    bench.answerAll()
    bench.send(.resume)
    bench.film(2)
    let areas = bench.parts.map(\.size.area)
    #expect(areas.count == 2 && areas[0] > 1280 * 720 && areas[1] <= 1280 * 720)
    bench.send(.constrained(ThermalPolicy().constraints(in: .critical).capture))
    bench.answerAll()
    #expect(bench.stored?.end == .tooHot && bench.brokenRules == [])
  }

  static let rates: [(Double, Int)] = [(30, 25), (25, 25), (12.5, 12), (10, 10), (5, 5)]

  @Test(arguments: rates)
  func `the frame rate is at most the wanted one`(wanted: Double, count: Int) {
    var settings = MovieSettings()
    settings.frameRate = wanted
    var bench = MovieBench(settings)
    bench.film(1)
    for index in 0..<100 {
      // A camera's frames do not come like clockwork.
      bench.frame(after: .microseconds(index.isMultiple(of: 2) ? 41_000 : 39_000))
      bench.answerAll()
    }
    #expect(abs(bench.appendedCount - count * 4) <= 3, "\(bench.appendedCount) frames in 4 s")
  }

  static let expectations: [(wanted: Double?, stream: Double?, expected: Double?)] = [
    (nil, 12.5, 12.5), (30, 12.5, 12.5), (5, 12.5, 5), (30, nil, 30), (nil, nil, nil),
  ]

  @Test(arguments: expectations)
  func `a part tells the frame rate to expect, which the stream may limit`(
    wanted: Double?, stream: Double?, expected: Double?
  ) throws {
    var settings = MovieSettings()
    settings.frameRate = wanted
    var source = MovieBench.source
    source.frameRate = stream
    var bench = MovieBench(settings, source: source)
    bench.film(1)
    let part = try #require(bench.parts.first)
    #expect(part.frameRate == wanted && part.expectedFrameRate == expected)
  }
}
