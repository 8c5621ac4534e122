import API
import Devices
import TestSupport
import Testing

@testable import Doctor

@Suite(.timeLimit(.minutes(10))) struct DoctorTests {
  /// A part that answers when it is told to.
  private struct SlowPart: DoctorCheck {
    let part: DoctorPart
    let gate: AsyncStream<Void>
    let asked: AsyncStream<Void>.Continuation

    func findings() async -> [DoctorReport.Finding] {
      asked.yield()
      for await _ in gate {}
      return [ok("at last")]
    }
  }

  @Test func `hanging parts are waited for once and do not hold up other parts`() async {
    let clock = ManualClock()
    let doctor = Doctor(clock: clock)
    let (gate, open) = AsyncStream.makeStream(of: Void.self)
    let (otherGate, openOther) = AsyncStream.makeStream(of: Void.self)
    let (asked, ask) = AsyncStream.makeStream(of: Void.self)
    let slow = SlowPart(part: .storage, gate: gate, asked: ask)
    let other = SlowPart(part: .index, gate: otherGate, asked: ask)
    defer { openOther.finish() }
    async let first = doctor.examine([slow, other])
    var asking = asked.makeAsyncIterator()
    for _ in 0..<2 { await asking.next() }
    await clock.untilSleepers(2)
    let quick = await doctor.examine([UncheckedPart(part: .lamp, why: "no lamp")])
    #expect(quick.map(\.seen) == ["no lamp"])
    clock.advance(by: Doctor.timeout)
    let findings = await first
    #expect(findings.map(\.part) == [.storage, .index])
    for finding in findings {
      #expect(finding.verdict == .notChecked && finding.seen.contains("does not answer"))
    }
    // The first question is still open: it is not repeated, and its answer goes to both waiters.
    async let second = doctor.examine([slow])
    await clock.untilSleepers(1)
    open.finish()
    let later = await second
    #expect(later.map(\.seen) == ["at last"])
  }

  @Test func `the findings come in the order of the parts`() async {
    let doctor = Doctor(clock: ManualClock())
    let checks = DoctorPart.allCases.map { UncheckedPart(part: $0, why: "not now") }
    let findings = await doctor.examine(checks)
    #expect(findings.map(\.part) == DoctorPart.allCases)
  }
}
