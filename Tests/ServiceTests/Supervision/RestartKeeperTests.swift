import Capture
import Devices
import Foundation
import SimulatedDevices
import Synchronization
import TestSupport
import Testing

@testable import Doctor
@testable import Service

/// Restarts for the camera's sake, and the file in which they outlive the service.
@Suite(.timeLimit(.minutes(10))) struct RestartKeeperTests {
  private let scratch: Scratch
  private let clock = ManualClock()
  private let log = RecordedLog()
  private let requests = Requests()
  private let fault = DeviceError(.timedOut, device: "cam0", problem: "gave no frame")
  private let policy = RestartRecord.Policy(
    serviceRestartsPerHour: 60, mayRestartMachine: true, machineRestartsPerDay: 1,
    restartsBeforeMachine: 2)

  init() throws { scratch = try Scratch() }

  private var file: RestartRecordFile { RestartRecordFile(directory: scratch.path) }

  /// Returns the keeper of a new run of the service, in a named boot.
  private func keeper(boot: String = "a", mayRestart: Bool = true) -> RestartKeeper {
    let request: @Sendable () -> Void = { [requests] in requests.add() }
    return RestartKeeper(
      file: file, policy: policy, clock: clock,
      moment: { BootMoment(bootID: boot, monotonicNanoseconds: $0.nanoseconds) },
      restartMachine: mayRestart ? request : nil, logger: log.logger)
  }

  @Test func `the limits hold over several runs of the service`() async throws {
    #expect(keeper().earlier == nil)
    var decisions: [RestartRecord.Decision] = []
    for _ in 0..<4 {
      let decision = await keeper().decide(after: fault)
      decisions.append(decision)
      clock.advance(by: .seconds(60))
    }
    #expect(
      decisions == [.restartService, .restartService, .restartMachine, .restartService])
    #expect(requests.count == 1)
    // After the reboot it is not certain that a day has passed.
    let afterBoot = await keeper(boot: "b").decide(after: fault)
    #expect(afterBoot == .restartService)
    #expect(keeper().earlier == EarlierRecovery(fault: fault.description, rung: .restartService))
    #expect(log.count("was restarted for the camera's sake") > 0)
  }

  @Test func `a decision is on the medium before it is acted on`() async throws {
    _ = await keeper().decide(after: fault)
    let record = try #require(try file.read())
    #expect(record.last?.fault == fault.description)
    #expect(record.serviceRestartCount == 1)
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path) == ["recovery.json"])
  }

  @Test func `a reboot is requested only once`() async throws {
    let keeper = keeper()
    var decisions: [RestartRecord.Decision] = []
    for _ in 0..<5 { decisions.append(await keeper.decide(after: fault)) }
    #expect(decisions.last == .restartMachine)
    #expect(requests.count == 1)
  }

  @Test func `a machine without power control is never rebooted`() async throws {
    let keeper = keeper(mayRestart: false)
    for _ in 0..<50 {
      let decision = await keeper.decide(after: fault)
      #expect(decision == .restartService)
    }
  }

  @Test(arguments: ["", "{", "null", "[1,2]", "{\"entries\":7}", "\u{0}\u{1}"])
  func `a damaged file is named and causes no reboot`(_ text: String) async throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: file.path))
    #expect(throws: DeviceError.self) { try file.read() }
    let first = keeper()
    #expect(log.count("error: the record of restarts is lost") == 1)
    #expect(log.count(file.path) == 1)
    #expect(first.earlier == nil)
    for _ in 0..<10 {
      let decision = await keeper(boot: "b").decide(after: fault)
      #expect(decision == .restartService, "restarts of the machine cannot be counted")
    }
    #expect(requests.count == 0)
    #expect(log.count("error: the record of restarts is lost") == 1, "it has been replaced")
    clock.advance(by: .seconds(86_400))
    let tomorrow = await keeper().decide(after: fault)
    #expect(tomorrow == .restartMachine)
  }

  @Test func `a file that is too long is not read`() throws {
    try Data(repeating: 32, count: RestartRecordFile.maximumBytes + 1)
      .write(to: URL(fileURLWithPath: file.path))
    let failure = #expect(throws: DeviceError.self) { try file.read() }
    #expect(failure?.description.contains("more than") == true, "\(String(describing: failure))")
  }

  @Test func `a restart that cannot be recorded is not done`() async throws {
    let keeper = keeper()
    scratch.remove()
    let early = await keeper.decide(after: fault)
    guard case .wait(let why) = early else {
      Issue.record("\(early)")
      return
    }
    #expect(why.contains("No such file or directory"))
    clock.advance(by: RestartKeeper.unrecordedUptime)
    let late = await keeper.decide(after: fault)
    #expect(late == .restartService, "the uptime limits it")
    _ = await keeper.decide(after: fault)
    let never = await keeper.decide(after: fault)
    #expect(never != .restartMachine)
    #expect(requests.count == 0)
  }

  @Test func `a working camera ends the row of restarts`() async throws {
    let keeper = keeper()
    for _ in 0..<2 { _ = await keeper.decide(after: fault) }
    keeper.cameraWorks()
    try await eventually { try file.read()?.serviceRestartCount == 0 }
    let record = try #require(try file.read())
    #expect(record.entries.count == 2, "they still count for the hour")
    #expect(record.last?.fault == fault.description, "the cause is kept")
  }

  @Test func `the reason of a watchdog kill is kept`() async throws {
    await keeper().willBeKilled(for: "a call of the camera did not return")
    #expect(keeper().earlier?.fault == "a call of the camera did not return")
  }

  /// The session ends or stays as the record says; the next session shows the fault.
  @Test func `the session asks the keeper before it ends`() async throws {
    let world = SimulatedWorld()
    var configuration = CaptureSessionConfiguration(
      camera: .first, stream: StreamConfiguration(size: FrameSize(width: 640, height: 360)))
    configuration.recovery = RecoveryLadder.Policy(
      rungs: [.restartStream, .restartService], attemptsPerRung: 1, pauses: [.milliseconds(1)],
      minimumUptime: .zero)
    configuration.earlierRecovery = EarlierRecovery(fault: "earlier", rung: .restartMachine)
    func session(_ keeper: RestartKeeper) -> CaptureSession {
      CaptureSession(
        configuration: configuration, cameras: SimulatedCameraSystem(world: world),
        numbers: PressNumbers { 1..<Int64(1 + $0) }, clock: SystemMonotonicClock(),
        logger: log.logger, lastResort: keeper,
        receive: { _, _ in .refused(.encodingFailed) })
    }
    world.inject(.outOfMemory)
    let keeper = keeper()
    for _ in 0..<2 {
      let session = session(keeper)
      let status = await session.currentStatus
      #expect(status.lastFault == "earlier" && status.lastRecovery == .restartMachine)
      await #expect(throws: DeviceError.self) { try await session.run() }
      #expect(await session.currentStatus.lastRecovery == .restartService)
    }
    let last = session(keeper)
    let running = Task { try await last.run() }
    try await eventually { requests.count > 0 }
    // The machine ends as after a signal.
    running.cancel()
    try await running.value
    #expect(await last.currentStatus.lastRecovery == .restartMachine)
  }

  private final class Requests: Sendable {
    private let number = Mutex(0)
    var count: Int { number.withLock { $0 } }
    func add() { number.withLock { $0 += 1 } }
  }

  private final class Scratch: Sendable {
    let path = NSTemporaryDirectory() + "platen-recovery-" + UUID().uuidString

    init() throws {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { remove() }

    func remove() { try? FileManager.default.removeItem(atPath: path) }
  }
}
