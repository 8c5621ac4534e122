import API
import Devices
import RigConfiguration
import SimulatedDevices
import Spool
import TestSupport
import Testing

@testable import Service

@Suite(.timeLimit(.minutes(10))) struct RigModelSimulationTests {
  private let bench = ServiceBench()
  private let scratch = ScratchSpool()

  private func withModel(
    isSimulated: Bool = true, _ body: (RigModel) async throws -> Void
  ) async throws {
    let spool = try await scratch.open()
    try await body(
      RigModel(
        rigID: "rig-1", board: isSimulated ? .simulated : .linux, session: bench.session,
        spool: spool, spoolConfiguration: scratch.configuration, targets: [],
        monitor: bench.monitor, indicatorNames: [:],
        world: isSimulated ? bench.world : nil, clock: bench.clock, startedAt: bench.clock.now))
    await spool.close()
  }

  static let commands: [SimulationCommand] = [
    .press(durationMilliseconds: nil, bounce: nil), .turn(.degrees(90)), .turn(.flat),
    .heat(celsius: 90), .throttle([.throttled]), .showPage(3), .showHand(true),
    .cameraFault("stalled"),
    .cameraFault("none"),
  ]

  @Test(arguments: commands)
  func `a real board refuses simulation commands`(_ command: SimulationCommand) async throws {
    try await withModel(isSimulated: false) { model in
      let error = await #expect(throws: APIError.self) { try await model.simulate(command) }
      #expect(error?.code == .notSimulated)
    }
  }

  @Test func `an unknown camera fault names the known ones`() async throws {
    try await withModel { model in
      let error = await #expect(throws: APIError.self) {
        try await model.simulate(.cameraFault("gremlin"))
      }
      #expect(error?.code == .invalidRequest)
      #expect(error?.message.contains("\"gremlin\"") == true)
      for fault in CameraFault.allCases {
        #expect(error?.message.contains(fault.rawValue) == true, "\(fault)")
      }
      #expect(bench.world.cameraFaults().isEmpty)
    }
  }

  @Test func `the simulated firmware has the flags that a command sets`() async throws {
    try await withModel { model in
      let sensor = SimulatedThrottleSensor(world: bench.world)
      try await model.simulate(.throttle([.throttled, .undervoltage]))
      #expect(try await sensor.status().now == [.undervoltage, .throttled])
      try await model.simulate(.throttle([]))
      #expect(try await sensor.status().now == [])
    }
  }

  @Test func `camera faults add up until they are cleared`() async throws {
    try await withModel { model in
      for fault in CameraFault.allCases {
        try await model.simulate(.cameraFault(fault.rawValue))
      }
      #expect(bench.world.cameraFaults() == Set(CameraFault.allCases))
      try await model.simulate(.cameraFault("none"))
      #expect(bench.world.cameraFaults().isEmpty)
    }
  }

  @Test func `commands change the simulated world`() async throws {
    try await withModel { model in
      try await model.simulate(.turn(.degrees(270)))
      let gravity = bench.world.position.acceleration
      #expect(gravity.x > 9 && abs(gravity.y) < 0.1)
      try await model.simulate(.turn(.flat))
      #expect(abs(bench.world.position.acceleration.z) > 9)
      try await model.simulate(.heat(celsius: 77))
      #expect(bench.world.temperature == 77)
      try await model.simulate(.showPage(12))
      #expect(bench.world.page == 12)
      #expect(!bench.world.isButtonDown)
      try await model.simulate(.press(durationMilliseconds: 500, bounce: nil))
      #expect(bench.world.isButtonDown)
      bench.clock.advance(by: .milliseconds(501))
      #expect(!bench.world.isButtonDown)
    }
  }
}
