import Devices
import Foundation
import TestSupport
import Testing

@testable import CameraHost

@Suite struct HostLedgerTests {
  private static let start = MonotonicInstant(nanoseconds: 1_000_000_000)

  private func ready() -> HostLedger {
    var ledger = HostLedger()
    ledger.processID = 4711
    _ = ledger.becomeReady()
    return ledger
  }

  @Test func `no call begins before the process is ready or after its end`() {
    var ledger = HostLedger()
    let early = ledger.begin("stop", of: "a", at: Self.start)
    #expect(early == nil)
    let (first, second) = (ledger.becomeReady(), ledger.becomeReady())
    #expect(first && !second)
    let inTime = ledger.begin("stop", of: "a", at: Self.start)
    #expect(inTime != nil)
    _ = ledger.ended(.signal(SIGKILL), at: Self.start)
    let late = ledger.begin("stop", of: "a", at: Self.start)
    #expect(late == nil)
    let again = ledger.becomeReady()
    #expect(!again)
  }

  /// The decided causes, and the words about the end.
  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var decided: [HostEnd.Cause]
    var status: ChildProcess.Status
    var words: String
  }

  static let cases = [
    Case(
      testDescription: "abort", decided: [], status: .signal(SIGABRT),
      words: "the camera process 4711 was ended by SIGABRT"),
    Case(
      testDescription: "unknown signal", decided: [], status: .signal(42),
      words: "the camera process 4711 was ended by signal 42"),
    Case(
      testDescription: "status", decided: [], status: .exited(3),
      words: "the camera process 4711 ended by itself with status 3"),
    Case(
      testDescription: "hung", decided: [.hung(call: "stop", after: .milliseconds(15_003))],
      status: .signal(SIGKILL),
      words:
        "the camera process 4711 was killed, it did not return from \"stop\" within 15 s"),
    Case(
      testDescription: "the first cause stays",
      decided: [.hung(call: "stop", after: .milliseconds(1500)), .restarted],
      status: .signal(SIGKILL),
      words: "the camera process 4711 was killed, it did not return from \"stop\" within 1.5 s"),
    Case(
      testDescription: "requested", decided: [.requested], status: .exited(0),
      words: "the camera process 4711 ended on request"),
    Case(
      testDescription: "malformed", decided: [.malformed("\"x\" is no message")],
      status: .signal(SIGKILL),
      words:
        "the camera process 4711 was killed, it sent what is no message: \"x\" is no message"),
  ]

  @Test(arguments: cases)
  func `the first decided cause counts`(_ value: Case) {
    var ledger = ready()
    let areFirst = value.decided.map { ledger.end($0) }
    #expect(areFirst == value.decided.indices.map { $0 == 0 })
    let end = ledger.ended(value.status, at: Self.start)
    #expect(end.description == value.words)
    let again = ledger.ended(.exited(0), at: Self.start)
    #expect(again == end, "it ends once")
  }

  @Test func `the hanging call is told apart from the waiting ones`() {
    var ledger = ready()
    let stop = ledger.begin("stop", of: "imx708", at: Self.start)
    _ = ledger.begin("lease", of: "imx708", at: Self.start)
    let later = Self.start.advanced(by: .seconds(15))
    let mustKill = ledger.expire(stop ?? 0, at: later)
    #expect(mustKill)
    let end = ledger.ended(.signal(SIGKILL), at: later)
    let errors = ledger.takeAll().values.map { end.error(of: $0).description }.sorted()
    #expect(
      errors == [
        "\"imx708\" cannot lease: the camera process 4711 was killed, "
          + "it did not return from \"stop\" within 15 s",
        "\"imx708\" did not stop within 15 s: the camera process 4711 was killed",
      ])
  }

  @Test func `times are shown in readable units`() {
    let times: [Duration] = [.milliseconds(800), .seconds(1), .milliseconds(1549), .seconds(90)]
    #expect(times.map { HostEnd.inWords($0) } == ["800 ms", "1 s", "1.5 s", "90 s"])
  }

  /// A call has one answer, no call reaches an ending process, and there is one end with one cause.
  ///
  /// The rules hold for any order of events.
  @Test func `random lives of a process keep the rules`() {
    let seed = TestSeed.value
    print("figure: lives of a camera process with seed \(seed)")
    var random = SeededGenerator(seed: seed)
    for _ in 0..<2000 {
      var ledger = HostLedger()
      var now = Self.start
      var open: Set<UInt64> = []
      var decided: HostEnd.Cause?
      var end: HostEnd?
      for _ in 0..<40 {
        now = now.advanced(by: .milliseconds(Int.random(in: 0...3000, using: &random)))
        let id = open.randomElement(using: &random) ?? UInt64.random(in: 0...50, using: &random)
        switch Int.random(in: 0..<12, using: &random) {
        case 0:
          let isFirst = ledger.becomeReady()
          #expect(!isFirst || decided == nil && end == nil)
        case 1...4:
          if let id = ledger.begin("call", of: "camera", at: now) {
            #expect(decided == nil && end == nil)
            let isNew = open.insert(id).inserted
            #expect(isNew, "each call has a number of its own")
          }
        case 5...8:
          let (call, expected) = (ledger.answer(id), open.remove(id))
          #expect((call != nil) == (expected != nil))
        case 9:
          let mustKill = ledger.expire(id, at: now)
          #expect(mustKill == (open.contains(id) && decided == nil && end == nil))
          if mustKill { decided = ledger.cause }
        case 10:
          if ledger.end(.restarted) {
            #expect(decided == nil && end == nil)
            decided = .restarted
          }
        default:
          guard Bool.random(using: &random) else { continue }
          let seen = ledger.ended(.signal(SIGABRT), at: now)
          #expect(seen == end ?? seen)
          #expect(seen.cause == decided ?? .signal(SIGABRT))
          end = seen
        }
        #expect(ledger.pendingCount == open.count)
      }
      let left = Set(ledger.takeAll().keys)
      #expect(left == open)
      #expect(ledger.pendingCount == 0)
    }
  }
}
