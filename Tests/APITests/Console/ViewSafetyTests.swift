import Console
import Testing

@testable import API

/// A view escapes control characters in every text of a report.
@Suite struct ViewSafetyTests {
  private static let nasty =
    "\u{1B}[2J\u{1B}]0;x\u{7}\u{9B}31m\u{0}\r\n\t\u{7F}\u{202E}\u{2066}\u{2028}\u{200F}x"

  /// Returns copies of a report, each with one text made nasty.
  ///
  /// Texts whose form does not allow that, such as a state, are omitted.
  private func variants<Report: Codable>(_ report: Report) throws -> [Report] {
    let value = try APICoding.decode(JSONValue.self, from: try APICoding.encode(report))
    var variants: [Report] = []
    for index in 0..<texts(value) {
      var count = index
      let changed = replacing(value, &count)
      if let variant = try? APICoding.decode(Report.self, from: try APICoding.encode(changed)) {
        variants.append(variant)
      }
    }
    return variants
  }

  private func texts(_ value: JSONValue) -> Int {
    switch value {
    case .string: 1
    case .array(let values): values.reduce(0) { $0 + texts($1) }
    case .object(let values): values.values.reduce(0) { $0 + texts($1) }
    default: 0
    }
  }

  /// Makes the text after the first `count` texts nasty.
  private func replacing(_ value: JSONValue, _ count: inout Int) -> JSONValue {
    switch value {
    case .string:
      count -= 1
      return count == -1 ? .string(Self.nasty) : value
    case .array(let values):
      return .array(values.map { replacing($0, &count) })
    case .object(let values):
      var result = values
      for key in values.keys.sorted() { result[key] = values[key].map { replacing($0, &count) } }
      return .object(result)
    default: return value
    }
  }

  /// Checks the lines of all variants of a report.
  private func check(_ report: some Codable & Presentable, least: Int) throws {
    try check(report, least: least) { $0.rendered() }
  }

  /// Checks a view with all variants of a report.
  ///
  /// - Parameter least: the minimum number of variants, so that no view is tested without any.
  private func check<Report: Codable>(
    _ report: Report, least: Int, _ view: (Report) -> [String]
  ) throws {
    let variants = try variants(report)
    #expect(variants.count >= least)
    for variant in variants {
      let lines = view(variant)
      #expect(!lines.isEmpty)
      for line in lines { #expect(PlainText.escaping(line) == line) }
    }
  }

  @Test func `reports do not control the terminal`() throws {
    try check(Samples.status, least: 20)
    for (press, least) in [(Samples.stored, 3), (Samples.refused, 1), (Samples.crooked, 6)] {
      try check(press, least: least) {
        $0.rendered() + PressList(presses: [$0]).rendered() + [$0.line] + $0.advice
      }
    }
    try check(Samples.counts, least: 1)
    try check(LostEdgesList(lostEdges: Samples.lostEdges), least: 1)
    try check(SpoolSamples.item(2, state: "parked"), least: 3) {
      $0.rendered() + SpoolItemList(items: [$0], next: nil).rendered()
    }
    try check(SpoolCopyReport(picture: "1.jpg", outcome: .copied, bytes: 7), least: 1)
    try check(SessionSamples.overview, least: 5)
    try check(SessionSamples.interruptions, least: 1)
    try check(MovieSamples.recording, least: 6)
    try check(MovieSamples.refused, least: 2)
    try check(AlignmentSamples.preview, least: 2) {
      let answers: [any Presentable] = [
        FocusView.now($0, nil), FocusView.change(before: $0, after: $0), PageState("", $0),
        PageCalibration(before: $0, calibration: SessionSamples.calibration, after: $0),
      ]
      return PreviewView().lines($0, FocusTrack()) + answers.flatMap { $0.rendered() }
    }
    try check(SessionSamples.overview, least: 5) {
      // The text is escaped where it is shown, as all complaints are.
      [PlainText.escaping(FocusView.withoutLens($0))]
    }
  }

  @Test func `reports of the machine do not control the terminal`() throws {
    let report = DoctorReport(
      rig: "rig-7", version: "1.0", isServiceRunning: true, findings: DoctorSamples.findings)
    try check(report, least: 10)
    try check(ConfigurationSamples.network, least: 8)
    try check(ConfigurationSamples.time, least: 3)
    try check(ConfigurationSamples.report, least: 2)
    try check(ConfigurationSamples.history, least: 2)
    try check(ConfigurationSamples.change, least: 3)
    let entry = LogEntry(
      id: 1, time: "2026-11-21T10:00:00.000Z", timeNanoseconds: 1, level: "notice",
      label: "platend", message: "started",
      metadata: ["error": "none"])
    try check(entry, least: 4)
  }

  @Test func `maintenance reports do not control the terminal`() throws {
    let caller = CallerReport(
      Caller(account: .user(7), name: "tech", origin: .unixSocket(processID: 9)))
    let note = AuditNote(
      run: "r", request: 1, stage: .refused, caller: caller, method: "POST", path: "/v1/presses",
      status: 403, error: "forbidden", omitted: 3)
    let entry = AuditEntry(
      time: "2026-11-21T10:00:00.000Z", trust: "estimated", bootID: "b", monotonicNanoseconds: 5,
      note: note)
    try check(AuditEntryList(entries: [entry]), least: 5)
    try check(Samples.status, least: 20) {
      ServiceState($0, unit: ["LoadState": "loaded"]).rendered()
    }
    let nasty = Self.nasty
    for name in ["ActiveState", "SubState", "Result", "StatusText"] {
      let lines = ServiceState(nil, unit: ["LoadState": "loaded", name: nasty]).rendered()
      #expect(lines.joined().contains("\\u{1B}"))
      for line in lines { #expect(PlainText.escaping(line) == line) }
    }
    let manifest =
      #"{"rig":"r","made":"m","redacted":"x","parts":[],"missing":[{"name":"a","reason":"b"}]}"#
    try check(try APICoding.decode(SupportManifest.self, from: manifest.utf8), least: 5) {
      SupportReport($0, path: nasty, bytes: 1, sha256: "00").rendered()
    }
  }

  @Test func `reports of tests and targets do not control the terminal`() throws {
    let result = TestResult(
      .button, subject: "shutter", .failed, seen: ["a", "b"], code: "c", advice: ["d", "e"],
      figures: ["f": 1])
    try check(result, least: 5) { $0.rendered() + TestSummary([$0]).rendered() }
    try check(QueueReport(Samples.status, SpoolSamples.statistics), least: 4)
    try check(Samples.status.targets[0], least: 4) { target in
      TargetList([target]).rendered()
        + TargetFacts(target, SpoolSamples.statistics.targets[0]).rendered()
    }
    try check(Samples.status.thermal, least: 2) {
      ThermalTable($0, SessionSamples.interruptions).rendered()
    }
  }

  @Test func `events do not control the terminal`() throws {
    let payloads: [RigEvent.Payload] = [
      .readiness(Samples.status.readiness), .press(Samples.stored), .press(Samples.refused),
      .session(Samples.session), .buttons(Samples.status.buttons),
      .targets(Samples.status.targets),
      .rotation(Samples.status.rotation), .thermal(Samples.status.thermal),
      .configuration(SessionSamples.overview.settings), .movie(MovieSamples.recording),
      .interruption(SessionSamples.interruptions.ended[0]),
      .delivery(
        DeliveryReport(
          itemID: "a", press: nil, state: "parked", target: "archive", detail: "x", receipt: nil)),
    ]
    for payload in payloads {
      let event = RigEvent(id: 1, timeNanoseconds: 1, payload: payload)
      try check(event, least: 1) { event in
        var view = EventView(width: 500)
        return [view.line(.event(event, id: "1")) ?? ""]
      }
    }
  }

  @Test func `errors of the client do not control the terminal`() {
    let nasty = Self.nasty
    let errors: [RigClientError] = [
      .unreachable(socketPath: nasty, cause: nasty), .forbidden(socketPath: nasty),
      .interrupted(socketPath: nasty, cause: nasty),
      .refused(APIError(.invalidRequest, nasty)), .incomprehensible(nasty),
    ]
    // The errors are escaped where they are shown.
    for error in errors {
      let shown = PlainText.escaping(error.description)
      #expect(shown.contains("\\u{1B}") && PlainText.escaping(shown) == shown)
    }
  }
}
