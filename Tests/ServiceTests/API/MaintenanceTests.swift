import API
import Capture
import Devices
import Foundation
import RigConfiguration
import ServiceLifecycle
import SimulatedDevices
import Spool
import Synchronization
import TestSupport
import Testing

@testable import Service

/// The end of a rig over its API: the checks before it, and the acts when the machine ends.
@Suite(.timeLimit(.minutes(10))) struct MaintenanceTests {
  private let bench = ServiceBench()
  private let scratch = ScratchSpool()
  private let log = RecordedLog()

  @Test(
    arguments: [
      (.machineRestart, .restart), (.powerOff, .powerOff), (.serviceRestart, .restartService),
    ] as [(EndingReport.Ending, SystemEnding.Request)])
  func `an allowed request begins`(
    _ wanted: EndingReport.Ending, _ request: SystemEnding.Request
  ) async throws {
    let ending = SystemEnding()
    let maintenance = Maintenance(
      ending: ending, power: SimulatedPower(world: bench.world), isSupervised: { true })
    try await maintenance.begin(wanted)
    #expect(ending.request == request)
    // A repeated request for the same end is accepted.
    try await maintenance.begin(wanted)
    let others = EndingReport.Ending.allCases.filter { $0 != wanted }
    for other in others {
      let error = await #expect(throws: APIError.self) { try await maintenance.begin(other) }
      #expect(error?.code == .conflict)
    }
    #expect(ending.request == request && bench.world.powerRequests.isEmpty)
  }

  @Test(arguments: [EndingReport.Ending.machineRestart, .powerOff])
  func `an end that systemd refuses is reported while the service runs`(
    _ wanted: EndingReport.Ending
  )
    async throws
  {
    let ending = SystemEnding()
    bench.world.denyPower(true)
    let denied = await #expect(throws: APIError.self) {
      try await Maintenance(ending: ending, power: SimulatedPower(world: bench.world))
        .begin(wanted)
    }
    #expect(denied?.code == .conflict)
    #expect(denied?.message.contains("Access denied. The service goes on.") == true)
    let nobody = await #expect(throws: APIError.self) {
      try await Maintenance(ending: ending, power: nil).begin(wanted)
    }
    #expect(nobody?.code == .unsupported && nobody?.message.contains("power: {") == true)
    #expect(ending.request == nil)
  }

  @Test func `a restart without a supervisor is refused`() async throws {
    let ending = SystemEnding()
    let error = await #expect(throws: APIError.self) {
      try await Maintenance(ending: ending, power: nil, isSupervised: { false })
        .begin(.serviceRestart)
    }
    #expect(error?.code == .unsupported && ending.request == nil)
  }

  @Test func `a restart of the service does not end the machine`() async throws {
    let power = SimulatedPower(world: bench.world)
    try await PlatenService.end(.restartService, power: power, logger: log.logger)
    let ending = SystemEnding()
    ending.request(.restartService)
    // The call returns at once: there is nothing to wait for.
    await PlatenService.endAnyway(ending, power: power, clock: bench.clock, logger: log.logger)
    #expect(bench.world.powerRequests.isEmpty)
  }

  /// A reboot waits for a press in flight.
  ///
  /// The press gets its outcome, the act is in the audit log and the picture in the spool, and only
  /// then does the machine end.
  @Test func `the machine ends after everything else`() async throws {
    let socket = "/tmp/platen-end-\(UInt64.random(in: 0...UInt64.max))"
    let text = """
      rig: { id: rig-1 }
      board: simulated
      camera: {
        preset: document, frame_rate: 5, ring_frames: 20, stall_timeout: 60 s,
        maximum_wait: 60 s }
      power: { method: logind }
      spool: { directory: \(scratch.directory), minimum_free: 0 B }
      api: { socket: \(socket), rate: 1000 }
      """
    let configuration = try PlatenConfiguration.parse(text, file: "platen.yaml")
    let clock = SystemMonotonicClock()
    let power = WitnessingPower(directory: scratch.directory, socket: socket, log: log)
    var product = BoardFactory.make(configuration, clock: clock, logger: log.logger)
    product.board.power = power
    let ending = SystemEnding()
    let assembly = try await ServiceAssembly(
      configuration, product: product, spool: try await scratch.open(), ending: ending,
      clock: clock, logger: log.logger)
    let events = assembly.session.events.listen(limit: 4096)
    let services = assembly.services()
    let (cameras, logger) = (product.board.cameras, log.logger)
    async let running: Void = PlatenService.endingTheMachine(
      ending, power: power, logger: logger
    ) {
      try await PlatenService.run(services, cameras: cameras, ending: ending, logger: logger)
    }
    for await case .readiness(let readiness) in events where readiness.state == .ready { break }
    // The socket may appear later than the camera.
    let patience = ["--retry", "300", "--retry-all-errors", "--retry-delay", "1"]
    _ = try await curl(patience + ["--unix-socket", socket], "/v1/status")
    async let press = curl(["-X", "POST", "--unix-socket", socket], "/v1/presses")
    // The API leaves an open request five seconds, in which a busy machine may not take a picture.
    for await case .press(let record) in events where record.frame != nil { break }
    let answer = try await curl(
      ["-X", "POST", "--unix-socket", socket], "/v1/machine/restart?confirm=rig-1")
    #expect(answer.contains("\"ending\":\"machineRestart\""), "\(answer)")
    let outcome = try await press
    #expect(outcome.contains("\"outcome\":\"stored\""), "\(outcome)")
    try await running

    let seen = try #require(power.seen)
    #expect(seen.request == .restart)
    #expect(seen.acts.contains("/v1/machine/restart began"))
    #expect(seen.acts.contains("/v1/machine/restart ended"))
    #expect(seen.acts.contains("/v1/presses ended"))
    #expect(seen.pictures == 1)
    #expect(!seen.isSocketThere, "nobody can ask any more")
  }

  private func curl(_ arguments: [String], _ path: String) async throws -> String {
    let options = ["-sS", "-m", "300"]
    return try await Tool.run("curl", options + arguments + ["http://localhost\(path)"]).output
  }
}

/// A machine that records the state of the service when it is told to end.
private final class WitnessingPower: SystemPower {
  struct Seen: Sendable {
    var request: SimulatedPower.Request
    var acts: [String]
    var pictures: Int
    var isSocketThere: Bool
  }

  private let directory: String
  private let socket: String
  private let log: RecordedLog
  private let state = Mutex<Seen?>(nil)

  init(directory: String, socket: String, log: RecordedLog) {
    (self.directory, self.socket, self.log) = (directory, socket, log)
  }

  var seen: Seen? { state.withLock { $0 } }

  func powerOff() async throws(DeviceError) { await look(.powerOff) }
  func restart() async throws(DeviceError) { await look(.restart) }
  func checkPowerOff() async throws(DeviceError) {}
  func checkRestart() async throws(DeviceError) {}

  private func look(_ request: SimulatedPower.Request) async {
    let file = AuditFile(directory: directory, logger: log.logger)
    let entries = (try? await file.entries(limit: 20)) ?? []
    let files = (FileManager.default.enumerator(atPath: directory)?.allObjects ?? [])
      .compactMap { $0 as? String }
    let seen = Seen(
      request: request, acts: entries.map { "\($0.note.path) \($0.note.stage.rawValue)" },
      pictures: files.count { $0.hasSuffix(".jpg") },
      isSocketThere: FileManager.default.fileExists(atPath: socket))
    state.withLock { $0 = seen }
  }
}
