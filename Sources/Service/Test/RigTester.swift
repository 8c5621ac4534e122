import API
import Capture
import Devices
import Doctor
import RigConfiguration
import Spool
import Synchronization

/// The tester of the rig's parts, one at a time.
struct RigTester: Sendable {
  /// The lock that admits one test at a time.
  final class TestLock: Sendable {
    private let test = Mutex<String?>(nil)

    /// Begins a test.
    ///
    /// - Throws: ``APIError``, code ``APIError/Code/conflict``, while another test runs.
    func begin(_ name: String) throws(APIError) {
      let other = test.withLock { test in
        defer { test = test ?? name }
        return test
      }
      if let other {
        throw APIError(
          .conflict,
          "A test of \(other) goes on; wait until it is over, or end it where it was begun.")
      }
    }

    func end() { test.withLock { $0 = nil } }
  }

  /// The time that the disk may delay a test.
  static let timeout = Duration.seconds(60)

  let configuration: PlatenConfiguration
  let session: CaptureSession
  let monitor: RigMonitor
  let clock: any MonotonicClock
  var buttons = ButtonObserver()
  var lights = LightTest()
  var accelerometer = AccelerometerObserver()
  private let lock = TestLock()
  private let probe = StorageProbe()

  // MARK: lights

  func testLight(
    _ request: LightTestRequest, names: [IndicatorRole: String]
  ) async throws(APIError) -> LightTestReport {
    guard let role = IndicatorRole(rawValue: request.light), let name = names[role] else {
      let known = IndicatorRole.allCases.filter { names[$0] != nil }.map(\.rawValue)
      throw APIError(
        .unsupported,
        "This rig has no light \"\(request.light.prefix(40))\""
          + (known.isEmpty ? "." : "; it has \(known.joined(separator: ", "))."))
    }
    try lock.begin("the light \"\(role.rawValue)\"")
    defer { lock.end() }
    let began = clock.now
    let end = began.advanced(by: .seconds(request.seconds ?? 15))
    try await show([role], until: end)
    let isFailing = await monitor.snapshot.lights[role]?.isFailing ?? true
    return LightTestReport(
      light: Word(role), name: name, seconds: began.duration(to: clock.now) / .seconds(1),
      problem: isFailing ? TestProblem(.lightFailing, "\"\(name)\" cannot be set") : nil)
  }

  /// Makes all lights blink at once, so that a person finds the rig among others.
  ///
  /// - Returns: the time that the lights blinked, in seconds.
  func identify(
    for duration: Duration, lights roles: Set<IndicatorRole>
  ) async throws(APIError) -> Double {
    guard !roles.isEmpty else { throw APIError(.unsupported, "This rig has no lights.") }
    try lock.begin("the lights")
    defer { lock.end() }
    let began = clock.now
    try await show(roles, until: began.advanced(by: duration))
    return began.duration(to: clock.now) / .seconds(1)
  }

  private func show(
    _ roles: Set<IndicatorRole>, until end: MonotonicInstant
  ) async throws(APIError) {
    lights.begin(roles, until: end)
    defer { lights.end() }
    try await wait(until: end)
  }

  // MARK: accelerometer

  func testAccelerometer(
    _ request: AccelerometerTestRequest
  ) async throws(APIError) -> AccelerometerTestReport {
    guard let section = configuration.accelerometer else {
      throw APIError(.unsupported, "This rig has no accelerometer.")
    }
    try lock.begin("the accelerometer")
    defer { lock.end() }
    let began = clock.now
    accelerometer.begin()
    do throws(APIError) {
      try await wait(until: began.advanced(by: .seconds(request.seconds ?? 3)))
    } catch {
      _ = accelerometer.end()
      throw error
    }
    let test = accelerometer.end()
    let state = await monitor.snapshot.accelerometer
    return AccelerometerTestReport(
      state: Word(state), seconds: began.duration(to: clock.now) / .seconds(1), samples: test.count,
      rate: test.rate, wantedRate: section.rate, mean: test.count > 0 ? test.mean : nil,
      noise: test.count > 0 ? test.noise : nil, magnitude: test.count > 0 ? test.magnitude : nil,
      captureAngle: await session.captureAngle,
      problem: test.problem(state: state, wantedRate: section.rate))
  }

  // MARK: storage

  func testStorage(
    _ request: StorageTestRequest
  ) async throws(APIError) -> StorageTestReport {
    try lock.begin("the storage")
    defer { lock.end() }
    guard !probe.isRunning else {
      throw APIError(.conflict, "The disk has not answered the test before this one yet.")
    }
    let (directory, free) = (configuration.spool.directory, configuration.spool.minimumFreeBytes)
    let (stop, probe) = (StorageProbe.Stop(), probe)
    defer { stop.set() }
    let report = await answer(within: Self.timeout, clock) {
      await probe.probe(
        directory, mebibytes: request.mebibytes ?? 8, minimumFreeBytes: free, stop: stop)
    }
    guard !Task.isCancelled else { throw Self.ended }
    return report
      ?? StorageTestReport(
        directory: directory,
        problem: TestProblem(
          DoctorCode(.storageStalled), "the disk did not answer within \(Self.timeout)"))
  }

  // MARK: common to all

  /// Does some work while no other test runs.
  func exclusively<Report>(
    _ name: String, _ work: () async throws(APIError) -> Report
  ) async throws(APIError) -> Report {
    try lock.begin(name)
    defer { lock.end() }
    return try await work()
  }

  /// The error of a test whose caller has gone, or whose service stops.
  static let ended = APIError(.unavailable, "The test was ended before it was over.")

  /// Waits for an instant, unless the test is canceled.
  private func wait(until instant: MonotonicInstant) async throws(APIError) {
    do { try await clock.sleep(until: instant) } catch { throw Self.ended }
  }
}
