import API
import Capture
import Devices
import Foundation
import RigConfiguration
import TestSupport
import Testing

@testable import Service

/// Tests of the parts as the service carries them out; the clock is moved by the test.
@Suite(.timeLimit(.minutes(10))) struct RigTesterTests {
  private let bench = ServiceBench()
  private let scratch = ScratchSpool()

  private func tester(
    directory: String? = nil, minimumFree: String = "0 B", parts: String = ""
  ) throws -> RigTester {
    let configuration = try PlatenConfiguration.parse(
      """
      rig: { id: rig-1 }
      board: simulated
      spool: { directory: \(directory ?? scratch.directory), minimum_free: \(minimumFree) }
      \(parts)
      """, file: "platen.yaml")
    return RigTester(
      configuration: configuration, session: bench.session, monitor: bench.monitor,
      clock: bench.clock)
  }

  private func buttonTester() throws -> RigTester {
    let tester = try tester(parts: "shutter: { line: SHUTTER }")
    tester.buttons.begin("shutter", isDown: false)
    return tester
  }

  private func refusal<Value: Sendable>(_ task: Task<Value, any Error>) async -> APIError.Code? {
    do {
      _ = try await task.value
      return nil
    } catch {
      return (error as? APIError)?.code
    }
  }

  private var isRefusing: Bool { bench.session.readiness.reasons.contains(.buttonTest) }

  // MARK: the button

  @Test func `a press is seen and no picture is taken meanwhile`() async throws {
    let tester = try buttonTester()
    let task = Task { try await tester.testButton(ButtonTestRequest()) }
    await bench.clock.untilSleepers(1)
    #expect(isRefusing)
    let start = bench.clock.now
    for (offset, kind) in [(5, LineEdge.Kind.activated), (85, .deactivated)] {
      let time = start.advanced(by: .milliseconds(offset))
      tester.buttons.take(LineEdge(kind: kind, time: time), of: "shutter")
    }
    let push = start.advanced(by: .milliseconds(5))
    tester.buttons.note(ButtonPanel.Output("shutter", .gesture(.single, at: push)))
    tester.buttons.note(ButtonPanel.Output("pedal", .gesture(.double, at: push)))
    bench.clock.advance(by: .milliseconds(200))
    let report = try await task.value
    #expect(report.problem == nil && report.button == "shutter")
    #expect(
      report.presses
        == [.init(milliseconds: 5, heldMilliseconds: 80, edges: 2, bounceMilliseconds: 0)])
    #expect(report.gestures == [.init(gesture: "single", action: "shoot", milliseconds: 5)])
    #expect(!isRefusing)
    #expect(tester.buttons.covers("shutter", push) && !tester.buttons.covers("pedal", push))
    #expect(!tester.buttons.covers("shutter", bench.clock.now.advanced(by: .seconds(1))))
  }

  @Test func `a button that is not pressed fails when the time is over`() async throws {
    let tester = try buttonTester()
    let task = Task { try await tester.testButton(ButtonTestRequest(seconds: 7)) }
    await bench.clock.untilSleepers(1)
    bench.clock.advance(by: .seconds(7))
    let report = try await task.value
    #expect(report.problem?.code == "buttonSilent")
    #expect(report.problem?.seen == "nothing was seen of the button in 7 s")
    #expect(!isRefusing)
  }

  @Test func `a button that is down at the start fails at once`() async throws {
    let tester = try tester(parts: "shutter: { line: SHUTTER }")
    tester.buttons.begin("shutter", isDown: true)
    let report = try await tester.testButton(ButtonTestRequest())
    #expect(report.wasDownAtStart && report.problem?.code == "buttonHeldAtStart")
    await bench.monitor.begin(RigMonitor.Fault(reason: .buttonStuck, part: "shutter"))
    let stuck = try await tester.testButton(ButtonTestRequest())
    #expect(stuck.problem?.code == "buttonStuck")
    #expect(!isRefusing)
  }

  @Test(
    arguments: [
      (.busy, "lineTaken"), (.permissionDenied, "deviceNotAuthorized"), (.absent, "lineAbsent"),
    ] as [(DeviceError.Code, String)])
  func `a line that cannot be watched gives the reason`(_ known: (DeviceError.Code, String))
    async throws
  {
    let tester = try tester(parts: "shutter: { line: SHUTTER }")
    tester.buttons.fail(
      "shutter", DeviceError(known.0, device: "SHUTTER", problem: "cannot be taken"))
    let report = try await tester.testButton(ButtonTestRequest())
    #expect(report.problem?.code == known.1)
    #expect(report.problem?.seen.contains("SHUTTER") == true)
  }

  @Test func `only one test runs at a time`() async throws {
    let tester = try buttonTester()
    let task = Task { try await tester.testButton(ButtonTestRequest()) }
    await bench.clock.untilSleepers(1)
    let second = Task { try await tester.testButton(ButtonTestRequest()) }
    #expect(await refusal(second) == .conflict)
    let other = Task { try await tester.testStorage(StorageTestRequest()) }
    #expect(await refusal(other) == .conflict)
    #expect(isRefusing, "the first one goes on")
    task.cancel()
    #expect(await refusal(task) == .unavailable)
    #expect(!isRefusing)
    let next = Task { try await tester.testButton(ButtonTestRequest(seconds: 1)) }
    await bench.clock.untilSleepers(1)
    bench.clock.advance(by: .seconds(1))
    #expect(await refusal(next) == nil)
  }

  @Test func `the end of the service ends the test`() async throws {
    let tester = try buttonTester()
    let task = Task { try await tester.testButton(ButtonTestRequest()) }
    await bench.clock.untilSleepers(1)
    tester.buttons.finish()
    #expect(await refusal(task) == .unavailable)
    #expect(!isRefusing)
    let late = Task { try await tester.testButton(ButtonTestRequest()) }
    #expect(await refusal(late) == .unavailable)
  }

  @Test func `a part that the rig lacks is not tested`() async throws {
    let tester = try tester()
    let button = Task { try await tester.testButton(ButtonTestRequest()) }
    #expect(await refusal(button) == .unsupported)
    let accelerometer = Task {
      try await tester.testAccelerometer(AccelerometerTestRequest())
    }
    #expect(await refusal(accelerometer) == .unsupported)
    let light = Task { try await tester.testLight(LightTestRequest(light: "ready"), names: [:]) }
    #expect(await refusal(light) == .unsupported)
    let named = try buttonTester()
    let other = Task { try await named.testButton(ButtonTestRequest(button: "pedal")) }
    #expect(await refusal(other) == .notFound)
  }

  // MARK: the accelerometer

  @Test func `readings are collected and judged`() async throws {
    let tester = try tester(parts: "accelerometer: { device: lis3dh, rate: 10 }")
    await bench.monitor.note(accelerometer: .ok)
    let start = bench.clock.now
    let task = Task { try await tester.testAccelerometer(AccelerometerTestRequest(seconds: 2)) }
    await bench.clock.untilSleepers(1)
    for index in 0...20 {
      tester.accelerometer.take(
        AccelerometerSample(
          acceleration: Acceleration(x: 0, y: index.isMultiple(of: 2) ? 9.7 : 9.9, z: 0),
          time: start.advanced(by: .milliseconds(100 * index))))
    }
    bench.clock.advance(by: .seconds(2))
    let report = try await task.value
    #expect(report.problem == nil && report.samples == 21 && report.rate == 10)
    #expect(abs((report.magnitude ?? 0) - 9.8) < 0.02)
    #expect(abs((report.noise?[1] ?? 0) - 0.1) < 0.01 && report.noise?[0] == 0)
    let silent = Task { try await tester.testAccelerometer(AccelerometerTestRequest(seconds: 1)) }
    await bench.clock.untilSleepers(1)
    bench.clock.advance(by: .seconds(1))
    let nothing = try await silent.value
    #expect(nothing.problem?.code == "accelerometer" && nothing.mean == nil)
  }

  // MARK: the disk

  @Test func `the disk is written and read and no file is left`() async throws {
    try FileManager.default.createDirectory(
      atPath: scratch.directory, withIntermediateDirectories: true)
    let report = try await tester().testStorage(StorageTestRequest(mebibytes: 2))
    #expect(report.problem == nil && report.bytes == 2 << 20)
    #expect(report.writeRate ?? 0 > 0 && report.readRate ?? 0 > 0)
    #expect(report.syncMilliseconds ?? -1 >= 0 && report.freeBytes ?? 0 > 0)
    let left = try FileManager.default.contentsOfDirectory(atPath: scratch.directory)
    #expect(left.isEmpty)
  }

  @Test func `a disk without room or directory is reported`() async throws {
    let missing = try await tester(directory: "/nowhere/at/all").testStorage(StorageTestRequest())
    #expect(missing.problem?.code == "storageUnusable" && missing.bytes == 0)
    #expect(missing.problem?.seen.contains("No such file") == true)
    try FileManager.default.createDirectory(
      atPath: scratch.directory, withIntermediateDirectories: true)
    let full = try await tester(minimumFree: "1000000 GiB").testStorage(StorageTestRequest())
    #expect(full.problem?.code == "storageFull")
  }

  @Test(
    arguments: [
      (EROFS, "storageReadOnly"), (ENOSPC, "storageFull"), (EDQUOT, "storageFull"),
      (EACCES, "storageUnusable"), (ENOENT, "storageUnusable"), (EIO, "storageErrors"),
      (0, "storageErrors"),
    ] as [(Int32, String)])
  func `disk errors have their own codes`(_ known: (Int32, String)) {
    let problem = StorageProbe.problem(.init(deed: "cannot be written", number: known.0), "/spool")
    #expect(problem.code == known.1)
    #expect(problem.seen.hasPrefix("a file in \"/spool\" cannot be written"))
    #expect(!problem.advice.isEmpty)
  }
}
