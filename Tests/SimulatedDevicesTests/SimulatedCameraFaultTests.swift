import Devices
import TestSupport
import Testing

@testable import SimulatedDevices

@Suite struct SimulatedCameraFaultTests {
  private let bench = CameraBench()
  private let frame = Duration.milliseconds(40)

  private func code(_ body: () async throws -> Void) async -> DeviceError.Code? {
    do {
      try await body()
      return nil
    } catch {
      return (error as? DeviceError)?.code
    }
  }

  @Test func `cameras are listed by ID and opened once each`() async throws {
    let models = ["c", "a", "b"].map { SimulatedCameraModel(id: $0) }
    let world = SimulatedWorld(clock: ManualClock(), cameraModels: models)
    let system = SimulatedCameraSystem(world: world)
    #expect(try await system.cameras().map(\.id) == ["a", "b", "c"])
    #expect(
      try await system.cameras().first?.largestSize == FrameSize(width: 4608, height: 2592))
    let camera = try await system.open("a")
    #expect(await code { _ = try await system.open("a") } == .busy)
    _ = try await system.open("b")
    await camera.close()
    #expect(await code { _ = try await camera.resolve(.init(size: CameraBench.size)) } == .absent)
    _ = try await system.open("a")
    #expect(await code { _ = try await system.open("d") } == .absent)
    world.inject(.absent, camera: "c")
    #expect(try await system.cameras().map(\.id) == ["a", "b"])
    #expect(world.cameraFaults("c") == [.absent])
  }

  @Test(arguments: [
    (CameraFault.absent, DeviceError.Code.absent), (.busy, .busy),
    (.permissionDenied, .permissionDenied),
  ])
  func `opening fails with the injected fault`(fault: CameraFault, code: DeviceError.Code)
    async throws
  {
    bench.world.inject(fault)
    #expect(await self.code { _ = try await bench.system.open(bench.id) } == code)
    if fault == .permissionDenied {
      #expect(await self.code { _ = try await bench.system.cameras() } == .permissionDenied)
    }
    bench.world.clear(fault)
    let camera = try await bench.system.open(bench.id)
    await camera.close()
  }

  @Test func `no memory at start leaves the camera stopped and usable`() async throws {
    let camera = try await bench.system.open(bench.id)
    bench.world.inject(.outOfMemory)
    let wanted = StreamConfiguration(size: CameraBench.size)
    #expect(await code { _ = try await camera.start(wanted) } == .outOfMemory)
    #expect(await camera.lease(1) == nil)
    bench.world.clear(.outOfMemory)
    _ = try await camera.start(wanted)
    await camera.close()
  }

  @Test func `a pulled cable disconnects, and the camera can be reopened`() async throws {
    let (camera, stream) = try await bench.start()
    await bench.clock.run(for: frame * 4)
    bench.world.inject(.absent)
    var events: [CameraEvent] = []
    for await event in stream.events { events.append(event) }
    #expect(events.last == .disconnected)
    #expect(
      await code { _ = try await camera.start(.init(size: CameraBench.size)) } == .disconnected)
    #expect(await code { try await camera.setFrameRate(5) } == .disconnected)
    bench.world.clear(.absent)
    #expect(
      await code { _ = try await camera.start(.init(size: CameraBench.size)) } == .disconnected)
    let again = try await bench.system.open(bench.id)
    _ = try await again.start(.init(size: CameraBench.size))
    await again.close()
    await camera.close()
  }

  @Test func `a burst of cancellations ends the stream with its reason`() async throws {
    let (camera, stream) = try await bench.start()
    bench.world.cancelStreams()
    var events: [CameraEvent] = []
    for await event in stream.events { events.append(event) }
    guard case .streamFailed(let error) = events.last else {
      Issue.record("no failure in \(events)")
      return
    }
    #expect(error.code == .timedOut)
    let again = try await camera.start(.init(size: CameraBench.size, frameRate: 25))
    var iterator = again.events.makeAsyncIterator()
    guard case .frame = await bench.next(&iterator, after: frame * 4) else {
      Issue.record("no frame after the restart")
      return
    }
    await camera.close()
  }

  @Test func `damaged frames cannot be leased and leave no gap in the numbers`() async throws {
    let (camera, stream) = try await bench.start()
    var events = stream.events.makeAsyncIterator()
    bench.world.damageFrames(2)
    await bench.clock.run(for: frame * 4)
    #expect(await events.next(isolation: nil) == .damagedFrame(sequence: 0))
    #expect(await bench.next(&events, after: frame) == .damagedFrame(sequence: 1))
    guard case .frame(let info) = await bench.next(&events, after: frame) else {
      Issue.record("no frame")
      return
    }
    #expect(info.id == 1)
    #expect(info.sequence == 2)
    bench.world.inject(.damaged)
    #expect(await bench.next(&events, after: frame) == .damagedFrame(sequence: 3))
    #expect(await bench.next(&events, after: frame) == .damagedFrame(sequence: 4))
    await camera.close()
  }

  @Test func `after a stall old frames come first, and the others are lost`() async throws {
    let (camera, stream) = try await bench.start()
    var events = stream.events.makeAsyncIterator()
    _ = await bench.next(&events, after: frame * 4)
    bench.world.inject(.stalled)
    await bench.clock.run(for: .seconds(2))
    #expect(bench.world.deliveredFrames().count == 1)
    bench.world.clear(.stalled)
    var sequences: [UInt64] = []
    var ages: [Duration] = []
    for number in 0..<5 {
      let event =
        number < 3 ? await events.next(isolation: nil) : await bench.next(&events, after: frame)
      guard case .frame(let info) = event else {
        Issue.record("no frame")
        return
      }
      sequences.append(info.sequence)
      ages.append(info.timestamp.duration(to: bench.clock.now))
    }
    #expect(sequences.prefix(3) == [1, 2, 3])
    #expect(sequences[3] > 40)
    #expect(sequences[4] == sequences[3] + 1)
    #expect(ages.prefix(3).allSatisfy { $0 > .seconds(1) })
    #expect(ages[3] <= frame * 4)
    await camera.close()
  }

  @Test func `a late host finds frames of the whole time`() async throws {
    let (camera, stream) = try await bench.start()
    var events = stream.events.makeAsyncIterator()
    await bench.clock.untilSleepers(1)
    bench.clock.advance(by: frame * 103)
    var sequences: [UInt64] = []
    for _ in 0..<4 {
      if case .frame(let info) = await events.next(isolation: nil) {
        sequences.append(info.sequence)
      }
    }
    #expect(sequences == [24, 49, 74, 99])
    await camera.close()
  }
}
