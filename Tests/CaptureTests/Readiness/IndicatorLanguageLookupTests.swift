import Capture
import Devices
import TestSupport
import Testing

@Suite struct IndicatorLanguageLookupTests {
  @Test func `every shown signal is in the table`() {
    let seed: UInt64 = 4_711
    print("IndicatorLanguageLookupTests: seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    let reasons = InterruptionReason.allCases
    let states: [CaptureReadiness] = [
      .ready, .notReadyMomentarily, .notReadyWaitingForCapture, .notReadyWaitingForProcessing,
    ]
    for _ in 0..<2000 {
      let interrupting = reasons.filter { _ in Int.random(in: 0..<12, using: &generator) == 0 }
      let state = states.randomElement(using: &generator) ?? .ready
      let readiness = Readiness(
        state: interrupting.isEmpty ? state : .notReadyMomentarily, reasons: interrupting,
        capturesInFlight: Int.random(in: 0...1, using: &generator))
      let condition = IndicatorLanguage.Condition(
        readiness: readiness,
        faults: Set(
          reasons.filter { $0.facts.part == .rig && Bool.random(using: &generator) }),
        upload: IndicatorLanguage.UploadActivity.allCases.randomElement(using: &generator) ?? .idle,
        isPowerOffArmed: Int.random(in: 0..<8, using: &generator) == 0,
        hasRefused: Int.random(in: 0..<4, using: &generator) == 0,
        isCountingDown: Bool.random(using: &generator),
        pageWarning: (PageWarning.allCases.map(Optional.some) + [nil])
          .randomElement(using: &generator) ?? nil)
      for light in IndicatorRole.allCases {
        let pattern = IndicatorLanguage.signal(of: light, in: condition).pattern
        let entry = IndicatorLanguage.entry(of: light, showing: pattern)
        #expect(entry?.pattern == pattern, "\(light) in \(condition)")
        #expect(entry?.light == (condition.isPowerOffArmed ? nil : light), "\(light)")
      }
    }
  }

  @Test(arguments: IndicatorRole.allCases)
  func `every row is found by its pattern`(_ light: IndicatorRole) {
    for entry in IndicatorLanguage.table where entry.light == light {
      let found = IndicatorLanguage.entry(of: light, showing: entry.pattern)
      #expect(found?.shown.isEmpty == false, "\(entry.state)")
      if light != .single { #expect(found == entry) }
    }
  }

  @Test func `the only light names the reason`() {
    let flashes = IndicatorLanguage.entry(
      of: .single, showing: InterruptionReason.storageFull.facts.code.pattern)
    #expect(flashes?.state == "storageFull")
    #expect(flashes?.shown == "3-1 flashes")
    let moments = IndicatorLanguage.entry(
      of: .single, showing: InterruptionReason.buttonStuck.facts.code.inversePattern)
    #expect(moments?.state == "buttonStuck")
    #expect(moments?.shown == "5-1 dark moments of a lit light")
    let strange = IndicatorPattern.blink(on: .milliseconds(7), off: .milliseconds(9))
    #expect(IndicatorLanguage.entry(of: .ready, showing: strange) == nil)
  }
}
