import API
import Synchronization

/// A rig that does what a test tells it.
final class FakeRig: RigService {
  private struct State {
    var outcomes: [Result<PressReport, APIError>] = []
    var presses: [PressReport] = []
    var commands: [SimulationCommand] = []
    var refusesSimulation = false
    var continuation: AsyncStream<RigEvent>.Continuation?
    var nextEvent: UInt64 = 1
    var spool = SpoolState()
  }

  /// What the fake spool holds and was told.
  struct SpoolState {
    var items: [SpoolItemReport] = []
    var retried: [String] = []
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

  /// What the fake spool holds and was told.
  var spool: SpoolState { state.withLock { $0.spool } }

  /// Changes the fake spool.
  func editSpool(_ edit: (inout SpoolState) -> Void) { state.withLock { edit(&$0.spool) } }

  /// What the simulated world was told.
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

  func shoot() async throws(APIError) -> PressReport {
    enteredContinuation.yield()
    if let gate { for await _ in gate {} }
    let outcome = state.withLock { state in
      state.outcomes.isEmpty ? .success(Samples.stored) : state.outcomes.removeFirst()
    }
    return try outcome.get()
  }

  func presses(limit: Int) async -> [PressReport] {
    Array(state.withLock { $0.presses }.prefix(limit))
  }

  func press(number: Int64) async -> PressReport? {
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

  static let refused = PressReport(
    number: 43, source: "button", outcome: .refused, reason: "thermalPressure")

  static let session = SessionReport(
    state: "running",
    camera: CameraReport(id: "/base/soc/i2c0mux/i2c@1/imx708@1a", model: "imx708"),
    size: SizeReport(width: 4608, height: 2592), pixelFormat: "yuv420", frameRate: 14.35,
    adjustments: ["The frame rate is 14.35 a second, not 30, because the size allows no more."],
    framesSeen: 123_456, lastFrameAgeMilliseconds: 31.5)

  static let status = RigStatus(
    rig: "rig-7", version: "1.0", board: "simulated",
    readiness: ReadinessReport(state: "sessionNotRunning", reasons: ["thermalPressure"]),
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
    indicators: ["ready": "off", "fault": "2 flashes", "upload": "2 flashes"],
    uptimeSeconds: 11_520.5)
}
