import Capture
import Devices
import Testing

@Suite struct IndicatorLanguageTests {
  private typealias Condition = IndicatorLanguage.Condition

  private static let allReasons = InterruptionReason.allCases

  private static func readiness(
    _ state: Readiness.State, _ reasons: [InterruptionReason] = [], inFlight: Int = 0
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
      hasRefused: Bool = false
    ) {
      testDescription = "\(light) \(state)\(hasRefused ? ", refused" : "")"
      condition = IndicatorLanguage.Condition(
        readiness: readiness, faults: faults, upload: upload, hasRefused: hasRefused)
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
  ]

  @Test(arguments: cases)
  func `each condition shows its row of the table`(_ example: Case) {
    let signal = IndicatorLanguage.signal(of: example.light, in: example.condition)
    let entries = IndicatorLanguage.table.filter {
      $0.light == example.light && $0.state == example.state
    }
    #expect(entries.map(\.pattern) == [signal.pattern])
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

  @Test func `rows of a light look different`() {
    for light in IndicatorRole.allCases {
      let patterns = IndicatorLanguage.table.filter { $0.light == light }.map(\.pattern)
      #expect(Set(patterns).count == patterns.count, "\(light)")
    }
  }
}
