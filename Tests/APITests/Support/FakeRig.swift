import API
import Devices
import Synchronization

/// A rig that does what a test tells it.
final class FakeRig: RigService {
  private struct State {
    var outcomes: [Result<PressReport, APIError>] = []
    var presses: [PressReport] = []
    var pressSettings: [PressSettings] = []
    var filters: [PressFilter] = []
    var commands: [SimulationCommand] = []
    var refusesSimulation = false
    var continuation: AsyncStream<RigEvent>.Continuation?
    var nextEvent: UInt64 = 1
    var spool = SpoolState()
    var capture = FakeSession()
    var configuration = FakeConfiguration()
    var alignment = FakeAlignment()
    var endings = FakeEndings()
    var tests = FakeTests()
    var movie = FakeMovie()
  }

  /// The fake spool's pictures and the calls that it got.
  struct SpoolState {
    var items: [SpoolItemReport] = []
    /// The thumbnails by the IDs of their pictures.
    var thumbnails: [String: [UInt8]] = [:]
    var retried: [String] = []
    /// Whether a verification goes on until somebody has asked how far it is.
    var verifiesUntilAsked = false
    var progressQuestions = 0
    var deleted: [String] = []
  }

  private let state = Mutex(State())
  private let stream: AsyncStream<RigEvent>
  /// Holds `shoot` back until it is finished; `nil` lets it go at once.
  private let gate: AsyncStream<Void>?
  /// Tells that `shoot` was entered.
  let entered: AsyncStream<Void>
  private let enteredContinuation: AsyncStream<Void>.Continuation
  /// Tells that `status` was asked.
  let asked: AsyncStream<Void>
  private let askedContinuation: AsyncStream<Void>.Continuation

  init(gate: AsyncStream<Void>? = nil) {
    let (stream, continuation) = AsyncStream.makeStream(
      of: RigEvent.self, bufferingPolicy: .unbounded)
    self.stream = stream
    self.gate = gate
    (entered, enteredContinuation) = AsyncStream.makeStream(of: Void.self)
    (asked, askedContinuation) = AsyncStream.makeStream(of: Void.self)
    state.withLock { $0.continuation = continuation }
  }

  /// Makes an event happen, with the next number.
  func send(_ payload: RigEvent.Payload) {
    state.withLock { state in
      let event = RigEvent(
        id: state.nextEvent, timeNanoseconds: Int64(state.nextEvent) * 1_000_000, payload: payload)
      state.nextEvent += 1
      state.continuation?.yield(event)
    }
  }

  /// Loses events on the way, which leaves a gap in the numbers.
  func lose(_ count: UInt64) { state.withLock { $0.nextEvent += count } }

  /// The fake spool's pictures and the calls that it got.
  var spool: SpoolState { state.withLock { $0.spool } }

  /// Changes the fake spool.
  func editSpool(_ edit: (inout SpoolState) -> Void) { state.withLock { edit(&$0.spool) } }

  /// The fake session, and what it was told.
  var capture: FakeSession { state.withLock { $0.capture } }

  /// Changes the fake session.
  func editCapture(_ edit: (inout FakeSession) -> Void) { state.withLock { edit(&$0.capture) } }

  /// The sights and readings of the fake rig, and the questions that it got.
  var alignment: FakeAlignment { state.withLock { $0.alignment } }

  /// Changes what the fake rig sees and feels.
  func editAlignment(_ edit: (inout FakeAlignment) -> Void) {
    state.withLock { edit(&$0.alignment) }
  }

  /// The fake configuration file, and what it was told.
  var configuration: FakeConfiguration { state.withLock { $0.configuration } }

  /// Changes the fake configuration file.
  func editConfiguration(_ edit: (inout FakeConfiguration) -> Void) {
    state.withLock { edit(&$0.configuration) }
  }

  /// The endings that the rig was asked for.
  var endings: FakeEndings { state.withLock { $0.endings } }

  /// Changes what becomes of that.
  func editEndings(_ edit: (inout FakeEndings) -> Void) { state.withLock { edit(&$0.endings) } }
  /// The tests of its parts, and what they were told.
  var tests: FakeTests { state.withLock { $0.tests } }

  /// Changes the tests of its parts.
  func editTests(_ edit: (inout FakeTests) -> Void) { state.withLock { edit(&$0.tests) } }

  /// The fake recording, and the calls that it got.
  var fakeMovie: FakeMovie { state.withLock { $0.movie } }

  /// Changes the fake recording.
  func editMovie(_ edit: (inout FakeMovie) -> Void) { state.withLock { edit(&$0.movie) } }

  /// Tells that a light is lit, or no longer.
  func noteLit() { enteredContinuation.yield() }

  /// The commands to the simulated world.
  var commands: [SimulationCommand] { state.withLock { $0.commands } }

  /// Says what becomes of the next presses; afterwards all are stored.
  func willAnswer(_ outcomes: Result<PressReport, APIError>...) {
    state.withLock { $0.outcomes = outcomes }
  }

  /// Remembers presses, the newest first.
  func remembers(_ presses: PressReport...) {
    state.withLock { $0.presses = presses }
  }

  /// Has a real board from now on.
  func refuseSimulation() {
    state.withLock { $0.refusesSimulation = true }
  }

  func status() async -> RigStatus {
    askedContinuation.yield()
    return Samples.status
  }

  func shoot(_ settings: PressSettings) async throws(APIError) -> PressReport {
    state.withLock { $0.pressSettings.append(settings) }
    enteredContinuation.yield()
    if let gate { for await _ in gate {} }
    let outcome = state.withLock { state in
      state.outcomes.isEmpty ? .success(Samples.stored) : state.outcomes.removeFirst()
    }
    return try outcome.get()
  }

  func presses(_ filter: PressFilter) async throws(APIError) -> PressList {
    let all = state.withLock { state in
      state.filters.append(filter)
      return state.presses.filter(filter.matches)
    }
    let page = all.prefix(filter.limit)
    return PressList(
      presses: Array(page), next: all.count > page.count ? page.last?.number : nil)
  }

  func pressCounts() async throws(APIError) -> PressCountsReport { Samples.counts }

  func lostEdges(limit: Int) async throws(APIError) -> LostEdgesList {
    LostEdgesList(lostEdges: Array(Samples.lostEdges.prefix(limit)))
  }

  /// The settings of each press.
  var pressSettings: [PressSettings] { state.withLock { $0.pressSettings } }

  /// The filters of the press lists.
  var filters: [PressFilter] { state.withLock { $0.filters } }

  func press(number: Int64) async throws(APIError) -> PressReport? {
    state.withLock { $0.presses.first { $0.number == number } }
  }

  func events() async -> AsyncStream<RigEvent> { stream }

  func simulate(_ command: SimulationCommand) async throws(APIError) {
    let isRefused = state.withLock { state in
      if !state.refusesSimulation { state.commands.append(command) }
      return state.refusesSimulation
    }
    if isRefused { throw APIError(.notSimulated, "The board \"linux\" is not simulated.") }
  }
}

/// Reports as a rig would make them.
enum Samples {
  static let stored = PressReport(
    number: 42, source: "api", outcome: .stored, frame: 1234, selectionErrorMilliseconds: -7.25,
    pressToFrameMilliseconds: 18.5, pressToStoredMilliseconds: 61.75, exifOrientation: 6,
    path: "/var/lib/platen/spool/2026/11/rig-7-000042.jpg", itemID: "rig-7-000042",
    sha256: String(repeating: "ab", count: 32), bytes: 812_345,
    receipt: ReceiptReport(
      target: "archive", remoteName: "rig-7-000042.jpg",
      sha256: String(repeating: "ab", count: 32), status: 201, duplicate: false))

  /// A picture with warnings about its page.
  static let crooked = PressReport(
    number: 44, source: "api", outcome: .stored, pressToStoredMilliseconds: 61.75,
    captureAngle: 90, path: "/var/lib/platen/spool/2026/11/rig-7-000044.jpg",
    orientationSource: "text", page: PageReport(findings))

  private static let findings: PageFindings = {
    var findings = PageFindings()
    findings.skew = -3.5
    findings.letterHeight = 21.25
    findings.outline = [
      PageFindings.Point(x: 0.25, y: 0.125), PageFindings.Point(x: 0.75, y: 0.25),
    ]
    findings.regions = [PageFindings.Region(x: 0.5, y: 0.25, width: 0.125, height: 0.5)]
    findings.warnings = [.pageCrooked, .pageRepeated]
    return findings
  }()

  static let refused = PressReport(
    number: 43, source: "button", outcome: .refused, reason: "thermalPressure")

  static let counts = PressCountsReport(
    counts: [
      PressCountsReport.Count(outcome: .stored, reason: nil, presses: 25_000, kept: 19_990),
      PressCountsReport.Count(outcome: .refused, reason: "thermalPressure", presses: 10, kept: 10),
    ], lostEntries: 3, lostEdges: 17, limit: 20_000)

  static let lostEdges = [2, 15].map { edges in
    LostEdgesList.Gap(
      button: "shutter", edges: edges, time: "2026-11-21T10:00:00.000Z", bootID: "b",
      monotonicNanoseconds: 5)
  }

  static let history = HistoryReport(
    periodSeconds: 60,
    samples: [
      HistorySample(
        timeNanoseconds: 60_000_000_000, celsius: ["cpu-thermal": 84.5], state: "critical",
        firmware: ["throttled"])
    ])

  static let session = SessionReport(
    state: "running",
    camera: CameraReport(id: "/base/soc/i2c0mux/i2c@1/imx708@1a", model: "imx708"),
    size: SizeReport(width: 4608, height: 2592), pixelFormat: "yuv420", frameRate: 14.35,
    adjustments: ["The frame rate is 14.35 a second, not 30, because the size allows no more."],
    framesSeen: 123_456, lastFrameAgeMilliseconds: 31.5)

  static let status = RigStatus(
    rig: "rig-7", version: "1.0", board: "simulated",
    readiness: ReadinessReport(state: "notReadyMomentarily", reasons: ["thermalPressure"]),
    session: session,
    rotation: RotationReport(
      captureAngle: 90, previewAngle: 90, exifOrientation: 6, accelerometer: "ok",
      acceleration: [9.81, -0.02, 0.4]),
    thermal: ThermalReport(
      state: "critical", temperatures: [TemperatureReport(zone: "cpu-thermal", celsius: 84.5)]),
    spool: SpoolReport(waiting: 3, delivered: 812, quarantined: 0, bytesWaiting: 2_345_678),
    targets: [
      TargetReport(
        name: "archive", kind: "webdav", url: "http://archive.example/pages/",
        state: "waitingToRetry", detail: "connection refused", nextAttemptSeconds: 30, delivered: 7)
    ],
    presses: PressSummary(last: 43, stored: 815, refused: 2, inFlight: 0),
    lights: [
      LightReport(
        role: "ready", name: "rig:green:ready", state: "notReady", shown: "dark",
        meaning: "a press would be refused, or the service does not run"),
      LightReport(
        role: "fault", name: "rig:red:fault", state: "thermalPressure", shown: "4-1 flashes",
        meaning: "it is too hot", code: "4-1", isFailing: true),
    ],
    buttons: [
      ButtonReport(name: "shutter"), ButtonReport(name: "pedal", faults: ["buttonStuck"]),
      ButtonReport(name: "retake", lostEdges: 17),
    ],
    uptimeSeconds: 11_520.5)
}
