import API
import Testing

@testable import Console

/// The judgment of reports, without a rig.
@Suite struct PartTestTests {
  private let problem = TestProblem(code: "c", seen: "it is red", advice: "Paint it.")
  private let light = LightReport(role: "ready", name: "rig:green:ready")

  @Test func `a button's presses are shown`() {
    let report = ButtonTestReport(
      button: "shutter", seconds: 2, wantedPresses: 2, edgeCount: 6,
      presses: [
        .init(milliseconds: 900, heldMilliseconds: 80, edges: 4, bounceMilliseconds: 1.5),
        .init(milliseconds: 1500, heldMilliseconds: nil, edges: 1, bounceMilliseconds: 0),
      ], gestures: [.init(gesture: "single", action: "shoot", milliseconds: 900)])
    let result = ButtonPartTest.result(report)
    #expect(result.verdict == .passed && result.subject == "shutter")
    #expect(
      result.seen == [
        "press 1 after 0.90 s, held for 80 ms, 4 edges, bounce of 1.5 ms",
        "press 2 after 1.50 s, not let go, 1 edge, no bounce",
        "understood as single, which would be shoot",
      ])
    #expect(result.figures["bounceMilliseconds"] == 1.5)
    let failed = ButtonPartTest.result(
      ButtonTestReport(button: "a", seconds: 1, wantedPresses: 1, edgeCount: 3, problem: problem))
    #expect(failed.verdict == .failed && failed.code == "c" && failed.advice == ["Paint it."])
    #expect(failed.seen == ["it is red", "3 edges came that make no press"])
  }

  @Test(
    arguments: [
      (.line("yes"), .passed), (.line(" Y "), .passed), (.line("no"), .failed),
      (.line(""), .failed), (.line("the red one"), .failed), (.timedOut, .failed),
      (.unanswered, .failed),
    ] as [(CommandAnswer, TestResult.Verdict)])
  func `the person's answer judges a light`(_ known: (CommandAnswer, TestResult.Verdict)) {
    let result = LightPartTest.result(light, nil, known.0)
    #expect(result.verdict == known.1 && result.subject == "ready")
    #expect(result.advice.isEmpty == (known.1 == .passed) && !result.seen.isEmpty)
    #expect((result.code == "notAnswered") == (known.0 == .timedOut || known.0 == .unanswered))
    // A fault that the rig knows outweighs the answer.
    #expect(LightPartTest.result(light, problem, known.0).verdict == .failed)
  }

  @Test(
    arguments: [
      ([-20.0], nil, .passed), ([110.0], nil, .passed), ([-21.0], nil, .failed),
      ([111.0], nil, .failed), ([nil], nil, .failed), ([40.0, nil], nil, .failed),
      ([40.0], .fault, .failed), ([40.0], .warning, .passed), ([], nil, .skipped),
    ] as [([Double?], DoctorReport.Verdict?, TestResult.Verdict)])
  func `temperatures are judged`(
    _ known: ([Double?], DoctorReport.Verdict?, TestResult.Verdict)
  ) {
    let thermal = ThermalReport(
      state: "nominal",
      temperatures: known.0.enumerated().map {
        TemperatureReport(zone: "zone\($0)", celsius: $1)
      })
    let findings = known.1.map {
      [DoctorReport.Finding(part: .supply, verdict: $0, code: "undervoltage", seen: "too low")]
    }
    let result = TemperaturePartTest.result(thermal, findings ?? [])
    #expect(result.verdict == known.2)
    if known.1 == .fault { #expect(result.code == "undervoltage") }
  }

  @Test func `the network is judged by its targets and the doctor`() {
    let interface = NetworkReport.Interface(
      name: "eth0", state: "up", hasCarrier: true, addresses: ["10.0.0.2"], isLoopback: false)
    func report(_ step: TargetProbeReport.Step?) -> NetworkReport {
      NetworkReport(
        interfaces: [interface], defaultRoutes: [], nameServers: [],
        targets: [
          TargetProbeReport(target: "a", endpoint: "a:443", failedStep: step, problem: nil)
        ], isClockSynchronized: true)
    }
    let fault = DoctorReport.Finding(
      part: .network, verdict: .fault, code: "noDefaultRoute", seen: "there is none")
    #expect(NetworkPartTest.result(report(nil), []).verdict == .passed)
    #expect(NetworkPartTest.result(report(.connect), []).verdict == .failed)
    let untried = TargetProbeReport(target: "a", endpoint: "a:443", problem: "no key")
    #expect(untried.text == "a: a:443, TLS not tried: no key")
    let failed = NetworkPartTest.result(report(nil), [fault])
    #expect(failed.verdict == .failed && failed.code == "noDefaultRoute")
    let none = NetworkReport(
      interfaces: [], defaultRoutes: [], nameServers: [], targets: [], isClockSynchronized: false)
    #expect(NetworkPartTest.result(none, []).verdict == .skipped)
    let unknown = NetworkReport(
      interfaces: [], defaultRoutes: [], nameServers: [], targets: [], isClockSynchronized: false,
      problem: "not known")
    #expect(NetworkPartTest.result(unknown, []).verdict == .failed)
    #expect(NetworkPartTest.result(unknown, []).seen.contains("not known"))
  }

  @Test func `a disk's figures are shown`() {
    let good = StoragePartTest.result(
      StorageTestReport(
        directory: "/spool", bytes: 8 << 20, writeRate: 20, readRate: 80, syncMilliseconds: 4.25,
        freeBytes: 5_000_000_000))
    #expect(good.verdict == .passed && good.figures["syncMilliseconds"] == 4.25)
    #expect(good.seen[0] == "\"/spool\", 5.0 GB free")
    let bad = StoragePartTest.result(StorageTestReport(directory: "/spool", problem: problem))
    #expect(bad.verdict == .failed && bad.seen.count == 2 && bad.seen[0] == "it is red")
  }

  @Test(
    arguments: [
      ([], 1), ([.passed], 0), ([.failed], 1), ([.skipped], 1), ([.passed, .skipped], 0),
      ([.passed, .failed], 1), ([.skipped, .failed], 1),
    ] as [([TestResult.Verdict], Int32)])
  func `the exit status is zero when a test passed and none failed`(
    _ known: ([TestResult.Verdict], Int32)
  ) {
    let results = known.0.map { TestResult(.camera, $0, seen: []) }
    #expect(TestResult.exitStatus(results) == known.1)
  }

  @Test(arguments: [40, 60, 80, 132]) func `results fit the terminal`(_ width: Int) {
    let long = String(repeating: "word ", count: 60) + String(repeating: "x", count: 300)
    var results = TestPart.allCases.map { part in
      TestResult(
        part, subject: "a-name-of-thirty-two-characters-", .failed, seen: [long, "short"],
        code: "aVeryLongCodeOfSomethingThatIsWrong", advice: [long])
    }
    results.append(TestResult(.camera, .skipped, seen: []))
    let summary = TestSummary(results).rendered(width: width)
    let lines = results.flatMap { $0.rendered(width: width) } + summary
    for line in lines { #expect(PlainText.columns(line) <= width, "\(line)") }
    #expect(summary.last == "0 passed, 8 failed, 1 skipped")
    #expect(summary.count < 24, "all parts fit a screen")
  }
}
