import Capture
import Devices
import TestSupport
import Testing

@Suite struct InterruptionLogTests {
  /// Every interruption that ends has begun once, and the log is limited.
  @Test(arguments: 0..<20 as Range<UInt64>)
  func `every interruption begins and ends once`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var log = InterruptionLog(limit: 5)
    var lasting: Set<InterruptionReason> = []
    for step in 0..<500 {
      let now = MonotonicInstant(nanoseconds: Int64(step) * 1000)
      let reason = InterruptionReason.allCases.randomElement(using: &random) ?? .cameraFailed
      if Bool.random(using: &random) {
        let began = log.begin(reason, cause: "step \(step)", at: now)
        #expect((began != nil) == lasting.insert(reason).inserted, "seed \(seed)")
      } else {
        let ended = log.end(reason, at: now)
        #expect((ended != nil) == (lasting.remove(reason) != nil), "seed \(seed)")
        if let ended {
          let end = ended.endedAt
          #expect(end == now && ended.beganAt < now, "seed \(seed)")
        }
      }
      #expect(Set(log.lasting.map(\.reason)) == lasting, "seed \(seed)")
      #expect(log.ended.count <= 5, "seed \(seed)")
    }
  }

  @Test func `a warning and an interruption for the same reason are separate`() {
    var log = InterruptionLog()
    let start = MonotonicInstant(nanoseconds: 5)
    let warning = log.begin(.undervoltage, cause: nil, refuses: false, at: start)
    let again = log.begin(.undervoltage, cause: nil, refuses: false, at: start)
    let interruption = log.begin(.undervoltage, cause: nil, at: start)
    #expect(warning?.refuses == false && again == nil && interruption?.refuses == true)
    let end = start.advanced(by: .seconds(1))
    let ended = [log.end(.undervoltage, at: end), log.end(.undervoltage, at: end)]
    #expect(ended.map { $0?.refuses } == [true, nil])
    #expect(log.lasting == [warning].compactMap { $0 })
    let last = log.end(.undervoltage, refuses: false, at: end)
    #expect(last?.endedAt == end && last?.refuses == false)
  }

  @Test func `the newest cause is shown`() {
    var log = InterruptionLog()
    let start = MonotonicInstant(nanoseconds: 5)
    _ = log.begin(.cameraInUse, cause: "first", at: start)
    _ = log.begin(.cameraInUse, cause: nil, at: start.advanced(by: .seconds(1)))
    #expect(log.lasting.first?.cause == "first")
    _ = log.begin(.cameraInUse, cause: "second", at: start.advanced(by: .seconds(2)))
    #expect(log.lasting.first?.cause == "second")
    #expect(log.lasting.first?.beganAt == start)
  }
}
