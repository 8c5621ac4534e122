import Capture
import Devices
import SimulatedDevices
import Testing

@testable import Platen

@Suite(.timeLimit(.minutes(1))) struct IndicatorServiceTests {
  private let bench = ServiceBench()
  private let indicators: [IndicatorRole: any Indicator]
  private let readiness: AsyncStream<CaptureEvent>.Continuation
  private let following: Task<Void, Never>

  init() {
    let world = bench.world
    indicators = Dictionary(
      uniqueKeysWithValues: IndicatorRole.allCases.map {
        ($0, SimulatedIndicator(world: world, role: $0))
      })
    let (events, continuation) = AsyncStream.makeStream(of: CaptureEvent.self)
    readiness = continuation
    following = Task { [monitor = bench.monitor] in await monitor.follow(events) }
  }

  private var service: IndicatorService {
    IndicatorService(indicators: indicators, monitor: bench.monitor, logger: bench.log.logger)
  }

  private func report(
    _ state: Readiness.State, _ reasons: [InterruptionReason] = [], capturesInFlight: Int = 0
  ) {
    readiness.yield(
      .readiness(Readiness(state: state, reasons: reasons, capturesInFlight: capturesInFlight)))
  }

  private func until(_ role: IndicatorRole, shows pattern: IndicatorPattern) async {
    for await snapshot in bench.world.snapshots()
    where snapshot.indicatorStates[role]?.pattern == pattern { break }
  }

  @Test func theLightsFollowTheMonitorAndAreOffAtTheEnd() async throws {
    await bench.monitor.note(accelerometer: .ok)
    try await bench.whileRunning(service) {
      await until(.upload, shows: .off)
      report(.ready)
      await until(.ready, shows: .on)
      report(.ready, capturesInFlight: 1)
      await until(.ready, shows: .blink(on: .milliseconds(60), off: .milliseconds(60)))
      report(.sessionNotRunning, [.storageFull, .thermalPressure])
      await until(.fault, shows: .flashes(3))
      await until(.ready, shows: .off)
      report(.ready)
      await until(.fault, shows: .off)
      await bench.monitor.note(accelerometer: .frozen)
      await until(.fault, shows: .flashes(4))
      await bench.monitor.note(upload: .active, detail: nil, target: "a")
      await until(.upload, shows: .on)
      await bench.monitor.note(
        upload: .waitingToRetry, detail: "the target is away", target: "a")
      await until(.upload, shows: .flashes(2))
    }
    for role in IndicatorRole.allCases {
      #expect(bench.world.indicatorStates[role]?.pattern == .off, "\(role)")
      #expect(bench.world.indicatorHistory(role).count > 1, "\(role) was lit before")
    }
  }

  @Test func whatIsKnownAtTheStartIsShownAtOnce() async throws {
    let changes = bench.monitor.changes.listen()
    report(.ready)
    for await case .readiness in changes { break }
    try await bench.whileRunning(service) { await until(.ready, shows: .on) }
    #expect(bench.world.indicatorStates[.ready]?.pattern == .off)
  }

  @Test func aLightThatFailsStopsNoOtherAndIsLoggedOnce() async throws {
    bench.world.setIndicatorFault(.inputOutput, role: .fault)
    try await bench.whileRunning(service) {
      for _ in 0..<3 {
        report(.ready)
        await until(.ready, shows: .on)
        report(.sessionNotRunning, [.cameraAbsent])
        await until(.ready, shows: .off)
      }
      bench.world.setIndicatorFault(nil, role: .fault)
      report(.sessionNotRunning, [.storageFull])
      await until(.fault, shows: .flashes(3))
    }
    #expect(bench.log.count("a light cannot be set") == 1)
  }
}
