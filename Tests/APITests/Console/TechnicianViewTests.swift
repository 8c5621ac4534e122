import API
import Console
import Testing

/// The views of configuration, network and time.
@Suite struct TechnicianViewTests {
  private static let evil = "\u{1B}[2J\u{202E}\u{9B}x\u{7}"

  /// Returns all lines of reports full of control characters.
  private func lines(width: Int) -> [String] {
    let evil = Self.evil
    let entry = ConfigurationHistoryEntry(
      number: 1, hash: evil, time: evil, bytes: 1, problem: evil)
    var answers: [any Presentable] = [
      ConfigurationReport(
        path: evil, hash: evil, runningHash: evil, text: "a: \(evil)\n\tb: \(evil)\n",
        issues: [evil]),
      ConfigurationHistory(entries: [entry]),
      ConfigurationDifference(entry: entry, lines: ["-" + evil]),
      ConfigurationChangeReport(hash: evil, lines: ["+" + evil], needsRestart: true),
      ConfigurationCheckReport(issues: [evil]),
    ]
    let interface = NetworkReport.Interface(
      name: evil, state: evil, hasCarrier: nil, addresses: [evil], isLoopback: false)
    let route = NetworkReport.DefaultRoute(family: evil, gateway: evil, interface: evil)
    let server = NetworkReport.NameServer(
      address: evil, source: evil, answerMilliseconds: nil, problem: evil)
    let target = TargetProbeReport(
      target: evil, endpoint: evil, addresses: [evil], failedStep: .tls, problem: evil)
    answers.append(
      NetworkReport(
        interfaces: [interface], defaultRoutes: [route],
        otherRoutes: [.init(family: evil, destination: evil, gateway: evil, interface: evil)],
        nameServers: [server], targets: [target], isClockSynchronized: false, problem: evil))
    answers.append(
      TimeReport(
        time: evil, trust: Word(rawValue: evil), isPlausible: false, secondsFromGMT: 0,
        source: evil,
        offsetMilliseconds: 1, maximumErrorMilliseconds: 1, monotonicNanoseconds: 1,
        bootID: evil, machineUptimeSeconds: 1, isBootDated: nil))
    return answers.flatMap { $0.rendered(width: width) }
  }

  @Test func `no shown text controls the terminal`() {
    let all = lines(width: 80).joined()
    #expect(!all.unicodeScalars.contains { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) })
    #expect(!all.contains("\u{202E}"))
    #expect(all.contains("\\u{202E}"))
  }

  @Test(arguments: [60, 80, 132]) func `network and time fit the terminal`(_ width: Int) {
    let lines =
      ConfigurationSamples.network.rendered(width: width)
      + ConfigurationSamples.time.rendered(width: width)
    #expect(lines.allSatisfy { PlainText.columns($0) <= width })
    #expect(lines.contains { $0.hasPrefix("name servers  192.168.1.1: does not answer") })
  }

  @Test func `an unusable earlier text is reported`() {
    let entries = [
      ConfigurationHistoryEntry(number: 1, hash: "a", time: nil, bytes: 1),
      ConfigurationHistoryEntry(
        number: 0, hash: "b", time: nil, bytes: 2, problem: "it is no UTF-8"),
    ]
    let lines = ConfigurationHistory(entries: entries).rendered()
    #expect(lines.count == 4 && lines.last == "good is of no use: it is no UTF-8")
  }

  @Test func `the state of the file is shown`() {
    let states: [(String?, String)] = [
      (nil, "the service does not run"), ("a", "what the service runs with"),
      ("b", "it holds from its next start"),
    ]
    for (running, words) in states {
      let report = ConfigurationReport(
        path: "/p", hash: "a", runningHash: running, text: "x: 1\n", issues: [])
      #expect(report.rendered().first?.contains(words) == true)
      #expect(report.rendered().last == "x: 1")
    }
  }
}
