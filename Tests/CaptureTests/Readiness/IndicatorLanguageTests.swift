import Capture
import Devices
import Testing

@Suite struct IndicatorLanguageTests {
  private typealias Condition = IndicatorLanguage.Condition

  private static let allReasons = InterruptionReason.allCases

  private static func readiness(
    _ state: CaptureReadiness, _ reasons: [InterruptionReason] = [], inFlight: Int = 0
  ) -> Readiness {
    Readiness(state: state, reasons: reasons, capturesInFlight: inFlight)
  }

  @Test(arguments: allReasons)
  func `every reason has a code of its own`(_ reason: InterruptionReason) {
    let code = reason.facts.code
    #expect(code != IndicatorLanguage.otherCode)
    for other in Self.allReasons where other != reason {
      #expect(code != other.facts.code, "\(reason) and \(other)")
    }
    let entries = IndicatorLanguage.table.filter { $0.light == .fault && $0.code == code }
    #expect(entries.map(\.state) == [reason.rawValue])
  }

  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let condition: IndicatorLanguage.Condition
    let light: IndicatorRole
    /// The shown row of the table.
    let state: String

    init(
      _ light: IndicatorRole, _ state: String, _ readiness: Readiness,
      _ faults: Set<InterruptionReason> = [], upload: IndicatorLanguage.UploadActivity = .idle,
      hasRefused: Bool = false, pageWarning: PageWarning? = nil
    ) {
      testDescription =
        "\(light) \(state)\(hasRefused ? ", refused" : "")\(pageWarning.map { ", \($0)" } ?? "")"
      condition = IndicatorLanguage.Condition(
        readiness: readiness, faults: faults, upload: upload, hasRefused: hasRefused,
        pageWarning: pageWarning)
      self.light = light
      self.state = state
    }
  }

  static let cases: [Case] = [
    Case(.ready, "ready", readiness(.ready)),
    Case(.ready, "capturing", readiness(.ready, inFlight: 1)),
    Case(.ready, "capturing", readiness(.notReadyWaitingForProcessing, inFlight: 4)),
    Case(.ready, "notReady", readiness(.notReadyMomentarily)),
    Case(.ready, "notReady", readiness(.notReadyMomentarily, [.cameraAbsent], inFlight: 1)),
    Case(.ready, "capturing", readiness(.notReadyMomentarily, [.thermalPressure], inFlight: 1)),
    Case(.ready, "notReady", readiness(.notReadyMomentarily, [.thermalPressure])),
    Case(.ready, "ready", readiness(.ready), [.buttonStuck]),
    Case(.fault, "inOrder", readiness(.ready)),
    Case(.fault, "storageFull", readiness(.notReadyMomentarily, [.storageFull, .cameraInUse])),
    Case(.fault, "cameraInUse", readiness(.notReadyMomentarily, [.cameraInUse]), [.buttonStuck]),
    Case(.fault, "buttonStuck", readiness(.ready), [.accelerometer, .buttonStuck]),
    Case(.fault, "undervoltage", readiness(.ready), [.undervoltage, .buttonStuck]),
    Case(.upload, "uploadsPaused", readiness(.ready), upload: .paused),
    Case(.upload, "uploadsWaitingToRetry", readiness(.ready), upload: .waitingToRetry),
    Case(.power, "running", readiness(.sessionNotRunning)),
    Case(.single, "ready", readiness(.ready), upload: .active),
    Case(.single, "capturing", readiness(.ready, inFlight: 1), [.accelerometer]),
    Case(.single, "notReady", readiness(.notReadyMomentarily), [.accelerometer]),
    Case(.single, "uploadsPaused", readiness(.ready), upload: .paused),
    Case(.single, "uploadsWaitingToRetry", readiness(.ready), upload: .waitingToRetry),
    Case(
      .ready, "notReady", readiness(.notReadyWaitingForProcessing, inFlight: 4), hasRefused: true),
    Case(
      .fault, "pressRefused", readiness(.notReadyWaitingForProcessing, inFlight: 4),
      hasRefused: true),
    Case(.fault, "pressRefused", readiness(.ready), [.accelerometer], hasRefused: true),
    Case(.single, "notReady", readiness(.ready, inFlight: 4), [.accelerometer], hasRefused: true),
    Case(.power, "running", readiness(.ready), hasRefused: true),
    Case(
      .fault, "cameraAbsent", readiness(.notReadyMomentarily, [.cameraAbsent]), hasRefused: true),
    Case(.fault, "glare", readiness(.ready), upload: .paused, pageWarning: .glare),
    Case(.fault, "pageRepeated", readiness(.notReadyMomentarily), pageWarning: .pageRepeated),
    Case(.ready, "ready", readiness(.ready), pageWarning: .pageCovered),
    Case(
      .single, "readyWithWarning", readiness(.ready), upload: .paused, pageWarning: .pageCovered),
    Case(.single, "capturing", readiness(.ready, inFlight: 1), pageWarning: .pageCovered),
    Case(.fault, "pressRefused", readiness(.ready), hasRefused: true, pageWarning: .pageCovered),
    Case(.fault, "accelerometer", readiness(.ready), [.accelerometer], pageWarning: .pageCovered),
    Case(
      .fault, "thermalPressure", readiness(.notReadyMomentarily, [.thermalPressure]),
      pageWarning: .pageCovered),
    Case(.power, "running", readiness(.ready), pageWarning: .pageCovered),
  ]

  @Test(arguments: cases)
  func `each condition shows its row of the table`(_ example: Case) {
    let signal = IndicatorLanguage.signal(of: example.light, in: example.condition)
    let entries = IndicatorLanguage.table.filter {
      $0.light == example.light && $0.state == example.state
    }
    #expect(entries.map(\.pattern) == [signal.pattern])
  }

  @Test(arguments: [IndicatorRole.ready, .single])
  func `a countdown is shown only while a press would be taken`(_ light: IndicatorRole) {
    func state(_ readiness: Readiness, _ faults: Set<InterruptionReason> = []) -> String? {
      let condition = Condition(readiness: readiness, faults: faults, isCountingDown: true)
      let signal = IndicatorLanguage.signal(of: light, in: condition)
      return IndicatorLanguage.entry(of: light, showing: signal.pattern)?.state
    }
    #expect(state(Self.readiness(.ready)) == "countdown")
    #expect(state(Self.readiness(.ready), [.buttonStuck]) == "countdown")
    #expect(state(Self.readiness(.ready, inFlight: 1)) == "capturing")
    #expect(state(Self.readiness(.notReadyMomentarily)) == "notReady")
  }

  @Test func `a recording is shown on the power light, and on the only one with nothing else`() {
    func state(
      _ light: IndicatorRole, _ readiness: Readiness,
      upload: IndicatorLanguage.UploadActivity = .idle
    ) -> String? {
      let condition = Condition(readiness: readiness, upload: upload, isRecording: true)
      let signal = IndicatorLanguage.signal(of: light, in: condition)
      #expect(light != .power || signal.heartbeat?.lifetime == .seconds(3))
      return IndicatorLanguage.entry(of: light, showing: signal.pattern)?.state
    }
    #expect(state(.power, Self.readiness(.ready)) == "recording")
    #expect(state(.power, Self.readiness(.notReadyMomentarily)) == "recording")
    #expect(state(.ready, Self.readiness(.ready)) == "ready", "presses are taken as before")
    #expect(state(.single, Self.readiness(.ready)) == "recording")
    #expect(state(.single, Self.readiness(.ready, inFlight: 1)) == "capturing")
    #expect(state(.single, Self.readiness(.ready), upload: .paused) == "uploadsPaused")
  }

  @Test func `a warning is shown and presses are taken`() {
    var readiness = Self.readiness(.ready)
    readiness.warnings = [.undervoltage]
    let condition = Condition(readiness: readiness, faults: [.accelerometer])
    let code = InterruptionReason.undervoltage.facts.code
    #expect(
      IndicatorLanguage.signal(of: .fault, in: condition) == IndicatorSignal(code.pattern))
    #expect(
      IndicatorLanguage.signal(of: .single, in: condition)
        == IndicatorSignal(vouching: code.inversePattern))
    #expect(IndicatorLanguage.signal(of: .ready, in: condition).pattern == .on)
  }

  @Test func `the only light shows the most important state`() {
    func pattern(_ condition: Condition) -> IndicatorPattern {
      IndicatorLanguage.signal(of: .single, in: condition).pattern
    }
    var condition = Condition(
      readiness: Self.readiness(.ready), faults: [.accelerometer], upload: .waitingToRetry)
    let code = InterruptionReason.accelerometer.facts.code
    #expect(pattern(condition) == code.inversePattern, "ready, but")
    condition.readiness = Self.readiness(.notReadyMomentarily, [.thermalPressure])
    #expect(pattern(condition) == InterruptionReason.thermalPressure.facts.code.pattern)
    condition.isPowerOffArmed = true
    #expect(pattern(condition) == IndicatorLanguage.armed)
  }

  @Test(arguments: IndicatorRole.allCases)
  func `an armed power off is on all lights`(light: IndicatorRole) {
    let condition = Condition(readiness: Self.readiness(.ready), isPowerOffArmed: true)
    #expect(
      IndicatorLanguage.signal(of: light, in: condition)
        == IndicatorSignal(IndicatorLanguage.armed))
    let alike = IndicatorLanguage.table.filter { $0.pattern == IndicatorLanguage.armed }
    #expect(alike.map(\.state) == ["powerOffArmed"], "nothing else looks like it")
  }

  /// A signal that promises that a press would be taken ends by itself without a refresh.
  @Test(arguments: [IndicatorRole.ready, .single])
  func `a signal that vouches for the service has a heartbeat`(light: IndicatorRole) throws {
    for fault in [[], [InterruptionReason.accelerometer]] as [Set<InterruptionReason>] {
      let ready = Condition(readiness: Self.readiness(.ready), faults: fault)
      let signal = IndicatorLanguage.signal(of: light, in: ready)
      let heartbeat = try #require(signal.heartbeat)
      #expect(heartbeat.lifetime > heartbeat.every * 2)
      let period = signal.pattern.period
      if period == .zero {
        #expect(heartbeat.lifetime == .seconds(3))
      } else {
        let periods = heartbeat.every / period
        #expect(abs(periods - periods.rounded()) < 1e-9, "a code is never begun anew in between")
      }
    }
    let refused = Condition(readiness: Self.readiness(.notReadyMomentarily, [.cameraFailed]))
    #expect(IndicatorLanguage.signal(of: light, in: refused).heartbeat == nil)
  }

  @Test(arguments: PageWarning.allCases)
  func `the only light counts a warning in dark moments, and presses are taken`(
    _ warning: PageWarning
  ) {
    let condition = Condition(
      readiness: Self.readiness(.ready), upload: .waitingToRetry, pageWarning: warning)
    #expect(
      IndicatorLanguage.signal(of: .single, in: condition)
        == IndicatorSignal(vouching: warning.inversePattern))
    let row = IndicatorLanguage.entry(of: .single, showing: warning.inversePattern)
    #expect(row?.state == warning.rawValue)
    #expect(row?.shown == "one long dark moment and \(warning.number) short of a lit light")
    let faulty = Condition(
      readiness: Self.readiness(.ready), faults: [.lamp], pageWarning: warning)
    let code = InterruptionReason.lamp.facts.code
    #expect(IndicatorLanguage.signal(of: .single, in: faulty).pattern == code.inversePattern)
  }

  @Test func `rows of a light look different`() {
    for light in IndicatorRole.allCases {
      let patterns = IndicatorLanguage.table.filter { $0.light == light }.map(\.pattern)
      #expect(Set(patterns).count == patterns.count, "\(light)")
    }
  }

  /// Returns the steps as a person sees them, who tells lengths only by their kind.
  ///
  /// Where a pattern begins cannot be seen: of all beginnings, the first in order is returned.
  private func look(of pattern: IndicatorPattern, flashLevel: Double) -> String {
    let kinds = pattern.steps.reduce(into: [(isFlash: Bool, time: Duration)]()) { steps, step in
      let isFlash = step.level == flashLevel
      if steps.last?.isFlash == isFlash {
        steps[steps.count - 1].time += step.duration
      } else {
        steps.append((isFlash, step.duration))
      }
    }
    var joined = kinds
    // The pattern repeats, so its end continues in its beginning.
    if joined.count > 1, let last = joined.last, last.isFlash == joined[0].isFlash {
      joined[0].time += joined.removeLast().time
    }
    let words = joined.map { step -> String in
      let length =
        switch step.time {
        case ..<Duration.milliseconds(80): "flicker"
        case ..<Duration.milliseconds(150): "blink"
        case ..<Duration.milliseconds(450): "short"
        case ..<Duration.milliseconds(1500): "long"
        default: "pause"
        }
      return (step.isFlash ? "lit " : "dark ") + length
    }
    return words.indices.map { (words[$0...] + words[..<$0]).joined(separator: ", ") }.min() ?? ""
  }

  @Test func `a person mistakes no signal of the fault light for another one`() {
    let entries = IndicatorLanguage.table.filter { $0.light == .fault || $0.light == nil }
    let looks = Dictionary(
      grouping: entries, by: { look(of: $0.pattern, flashLevel: 1) })
    for (look, rows) in looks { #expect(rows.count == 1, "\(rows.map(\.state)): \(look)") }
    let codes = InterruptionReason.allCases.map(\.facts.code)
    let inverse =
      (codes + [IndicatorLanguage.otherCode, .init(7, 1), .init(7, 2)]).map(\.inversePattern)
      + PageWarning.allCases.map(\.inversePattern)
    #expect(Set(inverse.map { look(of: $0, flashLevel: 0) }).count == inverse.count)
  }

  @Test(arguments: PageWarning.allCases)
  func `a warning is one long flash and its number of short ones`(_ warning: PageWarning) {
    let lit = warning.pattern.steps.filter { $0.level == 1 }.map(\.duration)
    #expect(
      lit == [.milliseconds(800)] + Array(repeating: BlinkCode.flash.lit, count: lit.count - 1))
    #expect(lit.count - 1 == warning.number && (1...9).contains(warning.number))
    #expect(warning.pattern.steps[1].duration == .milliseconds(400))
    #expect(warning.pattern.period == warning.inversePattern.period)
    // The signal is shown at least once before the display ends.
    #expect(warning.pattern.period < PageWarning.signalTime)
  }
}
