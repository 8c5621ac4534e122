import Devices
import RigConfiguration
import ServiceLifecycle
import SimulatedDevices
import Spool
import TestSupport
import Testing

@testable import Service

/// The end of the machine after the service, or without it.
@Suite(.timeLimit(.minutes(10))) struct SystemEndingTests {
  private let bench = ServiceBench()
  private let ending = SystemEnding()

  @Test func `the first request counts and ends the group`() async throws {
    let group = ServiceGroup(
      configuration: .init(
        services: [
          .init(service: Idle()),
          .init(
            service: EndingService(ending: ending),
            successTerminationBehavior: .gracefullyShutdownGroup),
        ], logger: bench.log.logger))
    let running = Task { try await group.run() }
    #expect(ending.request == nil)
    ending.request(.restart)
    ending.request(.powerOff)
    try await running.value
    #expect(ending.request == .restart)
    await ending.wait()
  }

  @Test func `a signal without a request ends the group and not the machine`() async throws {
    let power = SimulatedPower(world: bench.world)
    try await bench.whileRunning(EndingService(ending: ending)) {}
    try await PlatenService.end(ending.request, power: power, logger: bench.log.logger)
    #expect(bench.world.powerRequests == [])
  }

  @Test(arguments: [
    (SystemEnding.Request.powerOff, SimulatedPower.Request.powerOff), (.restart, .restart),
  ])
  func `the machine ends as requested`(
    _ request: SystemEnding.Request, _ done: SimulatedPower.Request
  ) async throws {
    let power = SimulatedPower(world: bench.world)
    ending.request(request)
    try await PlatenService.end(ending.request, power: power, logger: bench.log.logger)
    #expect(bench.world.powerRequests == [done])
    bench.world.denyPower(true)
    await #expect(throws: DeviceError.self) {
      try await PlatenService.end(ending.request, power: power, logger: bench.log.logger)
    }
  }

  @Test func `the machine ends even if the service does not`() async throws {
    let power = SimulatedPower(world: bench.world)
    let lastResort = Task {
      await PlatenService.endAnyway(
        ending, power: power, clock: bench.clock, logger: bench.log.logger)
    }
    ending.request(.powerOff)
    await bench.clock.untilSleepers(1)
    bench.clock.advance(by: PlatenService.maximumShutdown)
    #expect(bench.world.powerRequests == [])
    bench.clock.advance(by: .seconds(5))
    await lastResort.value
    #expect(bench.world.powerRequests == [.powerOff])
  }

  @Test func `a service that ends in time cancels the last resort`() async throws {
    let power = SimulatedPower(world: bench.world)
    for isRequested in [false, true] {
      let lastResort = Task {
        await PlatenService.endAnyway(
          ending, power: power, clock: bench.clock, logger: bench.log.logger)
      }
      if isRequested {
        ending.request(.powerOff)
        await bench.clock.untilSleepers(1)
      }
      lastResort.cancel()
      await lastResort.value
    }
    #expect(bench.world.powerRequests == [])
  }

  /// A service fails when all are told to end; the power still goes off as requested.
  @Test(arguments: [false, true])
  func `a service that fails during the shutdown does not keep the power on`(_ isPowerDenied: Bool)
    async throws
  {
    let power = SimulatedPower(world: bench.world)
    bench.world.denyPower(isPowerDenied)
    let cameras = HangingCamera(in: .setFrameRate)
    ending.request(.powerOff)
    await #expect(throws: Failing.Failure.self) {
      try await PlatenService.endingTheMachine(ending, power: power, logger: bench.log.logger) {
        try await PlatenService.run(
          [Idle(), Failing()], cameras: cameras, ending: ending, logger: bench.log.logger)
      }
    }
    #expect(cameras.isShutDown)
    #expect(bench.world.powerRequests == (isPowerDenied ? [] : [.powerOff]))
    #expect(bench.log.count("error: the service failed, the machine ends all the same") == 1)
    #expect(bench.log.count("critical: the machine does not end") == (isPowerDenied ? 1 : 0))
  }

  @Test func `a service that fails without a request does not end the machine`() async throws {
    let power = SimulatedPower(world: bench.world)
    await #expect(throws: Failing.Failure.self) {
      try await PlatenService.endingTheMachine(ending, power: power, logger: bench.log.logger) {
        throw Failing.Failure()
      }
    }
    #expect(bench.world.powerRequests == [])
  }

  /// A rig with a dead disk is powered off at the hard limit too.
  @Test(arguments: [95.0, 40.0])
  func `the hard limit holds without a spool`(_ celsius: Double) async throws {
    let text = """
      rig: { id: rig-1 }
      board: simulated
      power: { method: logind }
      thermal: { zones: [cpu-thermal], shutdown: { limit: 90, after: 300 ms }, interval: 100 ms }
      indicators: {}
      spool: { directory: /proc/no-such-directory }
      """
    let configuration = try PlatenConfiguration.parse(text, file: "platen.yaml")
    let world = SimulatedWorld(clock: SystemMonotonicClock())
    world.heat(to: celsius)
    await #expect(throws: SpoolError.self) {
      try await PlatenService.run(configuration, world: world, logger: bench.log.logger)
    }
    #expect(world.powerRequests == (celsius > 90 ? [.powerOff] : []))
  }

  private struct Failing: Service {
    struct Failure: Error {}

    func run() async throws {
      try? await gracefulShutdown()
      throw Failure()
    }
  }

  private struct Idle: Service {
    func run() async throws {
      await cancelWhenGracefulShutdown {
        let (endless, _) = AsyncStream.makeStream(of: Void.self)
        for await _ in endless {}
      }
    }
  }
}
