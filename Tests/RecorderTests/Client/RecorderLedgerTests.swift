import Devices
import TestSupport
import Testing

@testable import Recorder

@Suite struct RecorderLedgerTests {
  private func recording() -> RecorderLedger {
    var ledger = RecorderLedger(deadlines: RecorderDeadlines(), at: instant(0))
    ledger.take(.greeting(version: PlatenVersion.current), at: instant(50))
    ledger.take(.opened(encoder: "libx264 veryfast"), at: instant(100))
    return ledger
  }

  /// An older recorder does not greet.
  @Test(arguments: ["0.0.9", nil]) func `a recorder of another version is refused`(
    _ version: String?
  ) {
    var ledger = RecorderLedger(deadlines: RecorderDeadlines(), at: instant(0))
    if let version { ledger.take(.greeting(version: version), at: instant(50)) }
    ledger.take(.opened(encoder: "libx264 veryfast"), at: instant(100))
    #expect(
      ledger.phase
        == .failed(
          RecorderFailure(
            "The recorder is of \(version.map { "version \"\($0)\"" } ?? "an older version"), so "
              + "nothing is recorded: "
              + "the service is of version \"\(PlatenVersion.current)\".")))
    #expect(ledger.deadline == nil)
  }

  @Test func `a recorder that does not open is killed`() {
    var ledger = RecorderLedger(deadlines: RecorderDeadlines(), at: instant(0))
    #expect(ledger.deadline == instant(15_000))
    let isEarly = ledger.expire(at: instant(14_999))
    #expect(!isEarly)
    let isLate = ledger.expire(at: instant(15_000))
    #expect(isLate)
    #expect(
      ledger.phase
        == .failed(
          RecorderFailure(
            "The recorder did not answer within 15 s, so it was killed. What was safe is kept.")))
  }

  @Test func `a recorder owes nothing between frames`() {
    var ledger = recording()
    #expect(ledger.deadline == nil)
    let number = ledger.begin(at: instant(50_000))
    #expect(number == 1)
    #expect(ledger.deadline == instant(60_000))
    ledger.take(.taken(number: 1), at: instant(50_020))
    #expect(ledger.deadline == nil)
  }

  @Test func `a closed part is copied once, within the time for a word`() {
    var ledger = recording()
    ledger.copy(at: instant(150))
    #expect(ledger.phase == .recording, "the part goes on")
    ledger.close(at: instant(200))
    var part = RecordedPart(
      duration: .seconds(1), frameCount: 30, unusableFrameCount: 0, byteCount: 100,
      encoder: "libx264", form: .fragmented)
    ledger.take(.closed(part), at: instant(300))
    #expect(ledger.isOver && ledger.deadline == nil)
    ledger.copy(at: instant(90_000))
    let closing = RecorderDeadlines().closing
    #expect(!ledger.isOver && ledger.deadline == instant(90_000).advanced(by: closing))
    ledger.take(.closing, at: instant(91_000))
    #expect(ledger.deadline == instant(91_000).advanced(by: closing))
    part.form = .ordinaryCopy
    ledger.take(.closed(part), at: instant(92_000))
    #expect(ledger.phase == .closed(part) && ledger.deadline == nil)
  }

  @Test func `a word of a recorder moves its deadline`() {
    var ledger = recording()
    _ = ledger.begin(at: instant(200))
    ledger.take(.notice("A sentence."), at: instant(5000))
    #expect(ledger.deadline == instant(15_000))
    ledger.close(at: instant(6000))
    #expect(ledger.deadline == instant(66_000))
    ledger.take(.closing, at: instant(60_000))
    #expect(ledger.deadline == instant(120_000))
  }

  @Test func `frames beyond two under way are dropped and counted`() {
    var ledger = recording()
    let numbers = (0..<4).map { _ in ledger.begin(at: instant(200)) }
    #expect(numbers == [1, 2, nil, nil])
    #expect(ledger.counts.sent == 2 && ledger.counts.dropped == 2)
    ledger.take(.taken(number: 1), at: instant(210))
    let next = ledger.begin(at: instant(220))
    #expect(next == 3)
  }

  @Test func `the level of the sound is known until its end`() {
    var ledger = recording()
    #expect(ledger.counts.soundLevel == nil && ledger.counts.soundEnd == nil)
    ledger.take(.sound(level: -21.5), at: instant(300))
    #expect(ledger.counts.soundLevel == -21.5)
    ledger.take(.soundEnded(reason: "It was unplugged."), at: instant(400))
    #expect(ledger.counts.soundLevel == nil)
    #expect(ledger.counts.soundEnd == "It was unplugged." && !ledger.isOver)
  }

  @Test func `the first end stays`() {
    var ledger = recording()
    ledger.take(.failed(RecorderFailure("The disk is full.")), at: instant(200))
    ledger.fail("The recorder is gone.")
    #expect(ledger.phase == .failed(RecorderFailure("The disk is full.")))
    #expect(ledger.deadline == nil)
    let number = ledger.begin(at: instant(300))
    #expect(number == nil)
  }
}
