import Devices
import TestSupport
import Testing

@testable import SimulatedDevices

@Suite struct SimulatedAccelerometerTests {
  private let clock = ManualClock()
  private let world: SimulatedWorld

  init() { world = SimulatedWorld(clock: clock) }

  private func samples(
    _ accelerometer: SimulatedAccelerometer, _ count: Int, rate: Double = 25
  ) async throws -> [AccelerometerSample] {
    let stream = try await accelerometer.start(rate: rate)
    await clock.run(for: .milliseconds(40 * count))
    await clock.untilSleepers(1)
    await accelerometer.stop()
    var samples: [AccelerometerSample] = []
    for await batch in stream {
      for case .sample(let sample) in batch { samples.append(sample) }
    }
    return samples
  }

  private func distance(_ first: Acceleration, _ second: Acceleration) -> Double {
    Acceleration(x: first.x - second.x, y: first.y - second.y, z: first.z - second.z).magnitude
  }

  @Test(arguments: [0.0, 30, 90, 180, 270]) func `the sensor feels gravity with a little noise`(
    degrees: Double
  ) async throws {
    let start = clock.now
    world.turn(to: degrees)
    let samples = try await samples(SimulatedAccelerometer(world: world), 10)
    #expect(samples.map(\.time) == (1...10).map { start.advanced(by: .milliseconds(40 * $0)) })
    for sample in samples {
      #expect(distance(sample.acceleration, world.position.acceleration) < 0.05)
    }
    #expect(Set(samples.map(\.acceleration)).count > 1)
  }

  @Test func `the same seed gives the same noise`() async throws {
    let first = try await samples(SimulatedAccelerometer(world: world), 10)
    let second = try await samples(SimulatedAccelerometer(world: world), 10)
    #expect(first.map(\.acceleration) == second.map(\.acceleration))
    let other = SimulatedWorld(clock: clock, seed: 2)
    let third = try await samples(SimulatedAccelerometer(world: other), 10)
    #expect(first.map(\.acceleration) != third.map(\.acceleration))
  }

  @Test func `the right mount matrix is right, another one wrong`() async throws {
    let turned = MountMatrix(rows: (0, 1, 0), (-1, 0, 0), (0, 0, 1))
    world.turn(to: .clockwise90)
    let right = SimulatedAccelerometer(world: world, fitting: turned)
    let wrong = SimulatedAccelerometer(world: world, fitting: turned, mountMatrix: .identity)
    for sample in try await samples(right, 3) {
      #expect(distance(sample.acceleration, world.position.acceleration) < 0.05)
    }
    for sample in try await samples(wrong, 3) {
      #expect(distance(sample.acceleration, world.position.acceleration) > 9)
    }
  }

  @Test func `an inverse undoes a matrix`() {
    let matrix = MountMatrix(rows: (2, 1, 0), (0, -1, 3), (1, 0, 1))
    let vector = Acceleration(x: 1, y: -2, z: 3)
    #expect(distance(matrix.inverse.applied(to: matrix.applied(to: vector)), vector) < 1e-9)
  }

  @Test func `a frozen sensor repeats itself to the bit`() async throws {
    world.setAccelerometerFault(.frozen)
    let samples = try await samples(SimulatedAccelerometer(world: world), 10)
    #expect(samples.count == 10)
    #expect(Set(samples.map(\.acceleration)).count == 1)
  }

  @Test func `nonsense is neither finite nor gravity`() async throws {
    world.setAccelerometerFault(.nonsense)
    let samples = try await samples(SimulatedAccelerometer(world: world), 10)
    #expect(samples.contains { $0.acceleration.x.isNaN })
    #expect(samples.contains { $0.acceleration.magnitude > 1e6 })
  }

  @Test func `an absent sensor is reported, and comes back`() async throws {
    let accelerometer = SimulatedAccelerometer(world: world)
    world.setAccelerometerFault(.absent)
    let error = await #expect(throws: DeviceError.self) {
      _ = try await accelerometer.start(rate: 25)
    }
    #expect(error?.code == .absent)
    world.setAccelerometerFault(nil)
    let stream = try await accelerometer.start(rate: 25)
    var events = stream.makeAsyncIterator()
    await clock.run(for: .milliseconds(40))
    guard case .sample? = await events.next(isolation: nil)?.first else {
      Issue.record("no sample")
      return
    }
    world.setAccelerometerFault(.absent)
    await clock.run(for: .milliseconds(200))
    guard case .failed(let failure)? = await events.next(isolation: nil)?.first else {
      Issue.record("no failure")
      return
    }
    #expect(failure.code == .absent)
    await clock.untilSleepers(1)
    world.setAccelerometerFault(nil)
    await clock.run(for: .milliseconds(40))
    guard case .sample? = await events.next(isolation: nil)?.first else {
      Issue.record("no sample after it came back")
      return
    }
    await accelerometer.stop()
  }

  @Test func `a silent sensor gives no samples`() async throws {
    world.setAccelerometerFault(.silent)
    #expect(try await samples(SimulatedAccelerometer(world: world), 10).isEmpty)
  }

  @Test func `the closest rate is used`() async throws {
    let start = clock.now
    let accelerometer = SimulatedAccelerometer(world: world)
    let stream = try await accelerometer.start(rate: 40)
    var events = stream.makeAsyncIterator()
    await clock.run(for: .milliseconds(20))
    guard case .sample(let sample)? = await events.next(isolation: nil)?.first else {
      Issue.record("no sample")
      return
    }
    #expect(sample.time == start.advanced(by: .milliseconds(20)))
    await accelerometer.stop()
  }
}
