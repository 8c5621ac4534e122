import Devices
import Logging
import RigConfiguration
import ServiceLifecycle
import Spool
import Synchronization
import TestSupport
import Testing

@testable import Service

/// The start of the service, and of the process that has its cameras.
@Suite(.timeLimit(.minutes(10))) struct ServiceStartTests {
  private let bench = ServiceBench()

  /// Descriptions of the services contain everything that they refer to: a quarter of a start.
  @Test func `services are named without being described`() async throws {
    let (service, ending) = (Described(), SystemEnding())
    ending.request(.powerOff)
    try await PlatenService.run(
      [service], cameras: HangingCamera(in: .list), ending: ending, logger: bench.log.logger)
    #expect(service.descriptionCount.withLock { $0 } == 0)
  }

  @Test func `the cameras get ready while the spool opens`() async throws {
    let text = """
      rig: { id: rig-1 }
      board: simulated
      spool: { directory: /proc/no-such-directory }
      """
    let configuration = try PlatenConfiguration.parse(text, file: "platen.yaml")
    let cameras = PreparedCameras()
    let board = Board(
      cameras: cameras, buttons: [:], accelerometer: nil, indicators: [:], temperatureSensors: [])
    await #expect(throws: SpoolError.self) {
      _ = try await PlatenService.openSpool(
        configuration, board, SystemEnding(), clock: SystemMonotonicClock(),
        logger: bench.log.logger)
    }
    let isPrepared = await cameras.prepared.first { _ in true }
    #expect(isPrepared == true)
  }

  @Test func `the camera process logs at the level of the service`() {
    for level in Logger.Level.allCases {
      #expect(CameraProcess.logLevel(in: CameraProcess.arguments(logLevel: level)) == level)
    }
    #expect(CameraProcess.logLevel(in: [CameraProcess.subcommand]) == .info)
    #expect(CameraProcess.logLevel(in: [CameraProcess.subcommand, "loud"]) == .info)
  }

  /// A service that counts how often it is described.
  private final class Described: Service, CustomStringConvertible {
    let descriptionCount = Mutex(0)

    var description: String {
      descriptionCount.withLock { $0 += 1 }
      return "described"
    }

    func run() async throws {
      try? await gracefulShutdown()
    }
  }

  /// A system without cameras that reports its preparation.
  private struct PreparedCameras: CameraSystem {
    let prepared: AsyncStream<Bool>
    private let note: AsyncStream<Bool>.Continuation

    init() { (prepared, note) = AsyncStream.makeStream() }

    func prepare() async { note.yield(true) }
    func cameras() async throws(DeviceError) -> [CameraDescription] { [] }
    func open(_ id: CameraDescription.ID) async throws(DeviceError) -> any Camera {
      throw DeviceError(.absent, device: id, problem: "cannot be opened")
    }
    func shutDown() async {}
    func restart() async {}
  }
}
