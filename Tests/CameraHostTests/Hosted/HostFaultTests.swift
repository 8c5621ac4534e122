import CameraHost
import Devices
import Foundation
import SimulatedDevices
import Synchronization
import TestSupport
import Testing

extension HostedCameras {
  /// A camera process that dies, hangs or sends nonsense.
  @Suite struct HostFaultTests {
    @Test func `a killed process ends its stream`() async throws {
      let system = Fixture.system("simulated")
      let camera = try await system.openFirst()
      let stream = try await camera.start(Fixture.small)
      let lease = try #require(await camera.leaseNext(of: stream))
      let frame = lease.info
      let sum = try lease.withBytes { bytes in bytes.reduce(0) { $0 + Int($1) } }

      let process = try #require(system.processID)
      kill(process, SIGKILL)
      guard case .streamFailed(let error) = await stream.events.last() else {
        Issue.record("the stream ended without a reason")
        return
      }
      #expect(error.code == .inputOutput)
      #expect(error.cause == "the camera process \(process) was ended by SIGKILL")
      #expect(try lease.withBytes { bytes in bytes.reduce(0) { $0 + Int($1) } } == sum)
      #expect(await camera.lease(frame.id) == nil)
      let call = await #expect(throws: DeviceError.self) { try await camera.setFrameRate(10) }
      #expect(call?.cause == error.cause)
      await camera.stop()
      await camera.close()
      #expect(system.lastEnd?.cause == .signal(SIGKILL))
      #expect(system.lastEnd?.processID == process)

      // The next call begins with a new process.
      let next = try await system.openFirst()
      let again = try await next.start(Fixture.small)
      #expect(await again.events.frames(3).count == 3)
      #expect(system.startCount == 2)
      await next.close()
      await system.shutDown()
      #expect(system.lastEnd?.cause == .signal(SIGKILL), "the cause is kept")
    }

    /// The first attempt is to start the stream again: it must not fail because of the process.
    @Test func `a stream is restarted in a new process`() async throws {
      let system = Fixture.system("simulated")
      let camera = try await system.openFirst()
      for round in 1...3 {
        let stream = try await camera.start(Fixture.small)
        #expect(await stream.events.frames(3).count == 3)
        #expect(system.startCount == round)
        kill(try #require(system.processID), SIGKILL)
        guard case .streamFailed = await stream.events.last() else {
          Issue.record("the stream ended without a reason")
          return
        }
      }
      await camera.close()
      let error = await #expect(throws: DeviceError.self) { try await camera.start(Fixture.small) }
      #expect(error != nil)
      #expect(system.startCount == 3, "a closed camera begins nothing")
      await system.shutDown()
    }

    /// The start of a stream depends on the capabilities, even for the first stream after a crash.
    @Test func `the capabilities outlive the process`() async throws {
      let system = Fixture.system("simulated")
      let unasked = try await system.openFirst()
      kill(try #require(system.processID), SIGKILL)
      #expect(await unasked.capabilities.focusModes == SimulatedCameraModel.allControls.focusModes)

      let camera = try await system.openFirst()
      let stream = try await camera.start(Fixture.small)
      let before = await camera.capabilities
      #expect(before.refusal(of: CameraControls(focusMode: .locked(lensPosition: 1))) == nil)
      kill(try #require(system.processID), SIGKILL)
      _ = await stream.events.last()
      #expect(await camera.capabilities == before)
      await camera.close()
      #expect(await camera.capabilities == before)
      await system.shutDown()
    }

    /// A call that ends the process, and the words about it.
    struct Death: Sendable, CustomTestStringConvertible {
      var call: String
      var fault: String
      var cause: HostEnd.Cause
      var words: String
      var testDescription: String { "\(call) \(fault)" }
    }

    static let deaths = [
      Death(
        call: "cameras", fault: "abort", cause: .signal(SIGABRT), words: "was ended by SIGABRT"),
      Death(call: "open", fault: "exit", cause: .exited(status: 3), words: "with status 3"),
      Death(
        call: "start", fault: "abort", cause: .signal(SIGABRT), words: "was ended by SIGABRT"),
      Death(
        call: "start", fault: "crash", cause: .signal(SIGSEGV), words: "was ended by SIGSEGV"),
      Death(
        call: "resolve", fault: "abort", cause: .signal(SIGABRT), words: "was ended by SIGABRT"),
    ]

    @Test(arguments: deaths)
    func `a process that dies in a call gives its cause`(_ death: Death) async throws {
      let system = Fixture.system("faulty", death.call, death.fault)
      let error = await #expect(throws: DeviceError.self) {
        let camera = try await system.openFirst()
        _ = try await camera.resolve(Fixture.small)
        _ = try await camera.start(Fixture.small)
      }
      #expect(error?.code == .inputOutput)
      #expect(error?.cause?.hasSuffix(death.words) == true, "\(error?.description ?? "")")
      try await eventually { system.lastEnd?.cause == death.cause }
      await system.shutDown()
    }

    @Test(arguments: ["stop", "close", "lease"])
    func `a process that dies in a call without an error is reported`(_ call: String) async throws {
      let system = Fixture.system("faulty", call, "abort")
      let camera = try await system.openFirst()
      let stream = try await camera.start(Fixture.small)
      let frame = try #require(await stream.events.frames(1).first)
      _ = await camera.lease(frame.id)
      if call == "stop" { await camera.stop() }
      await camera.close()
      try await eventually { system.lastEnd?.cause == .signal(SIGABRT) }
      guard call != "close" else { return }
      guard case .streamFailed = await stream.events.last() else {
        Issue.record("the stream ended without a reason")
        return
      }
      await system.shutDown()
    }

    @Test(arguments: ["cameras", "open", "resolve", "start", "setFrameRate", "stop", "close"])
    func `a call that does not return ends the process`(_ call: String) async throws {
      let clock = ManualClock(now: SystemMonotonicClock().now)
      let system = Fixture.system(
        "faulty", call, call.count % 2 == 0 ? "hang" : "block", clock: clock)
      let reached = Mutex("")
      let task = Task { () -> (DeviceError?, CameraEvent?) in
        var events: CameraEvents?
        do throws(DeviceError) {
          reached.withLock { $0 = "cameras" }
          let first = try await system.cameras().first
          reached.withLock { $0 = "open" }
          let camera = try await system.open(first?.id ?? "")
          reached.withLock { $0 = "resolve" }
          _ = try await camera.resolve(Fixture.small)
          reached.withLock { $0 = "start" }
          events = try await camera.start(Fixture.small).events
          reached.withLock { $0 = "setFrameRate" }
          try await camera.setFrameRate(10)
          reached.withLock { $0 = "stop" }
          await camera.stop()
          reached.withLock { $0 = "close" }
          await camera.close()
        } catch {
          return (error, await events?.last())
        }
        return (nil, await events?.last())
      }
      let limit: Duration = ["resolve", "setFrameRate"].contains(call) ? .seconds(5) : .seconds(15)
      // The process's start and the calls that return take the time that they need. The clock moves
      // only when the hanging call has been made and its timer is the only one.
      try await eventually { reached.withLock { $0 } == call && system.processID != nil }
      await clock.untilSleepers(1)
      try await eventually {
        // After a deadline there may be no sleeper until the timer has acted.
        if clock.sleeperCount > 0 { clock.advance(by: .milliseconds(500)) }
        return system.lastEnd != nil
      }
      let (error, last) = await task.value
      guard case .hung(let name, let after) = system.lastEnd?.cause else {
        Issue.record("\(String(describing: system.lastEnd))")
        return
      }
      #expect(after >= limit && after < limit * 2)
      if !["stop", "close"].contains(call) {
        #expect(error?.code == .timedOut)
        #expect(
          error?.problem.contains("did not \(name) within") == true, "\(String(describing: error))")
        #expect(error?.cause?.hasSuffix("was killed") == true)
      } else {
        #expect(error == nil)
        if call == "stop" {
          guard case .streamFailed(let error) = last else {
            Issue.record("\(String(describing: last))")
            return
          }
          #expect(error.code == .timedOut)
        }
      }
      let process = try #require(system.lastEnd?.processID)
      try await eventually { !exists(process) }
      await system.shutDown()
    }

    @Test func `a stopped process is killed after the timeout of a call`() async throws {
      let clock = ManualClock(now: SystemMonotonicClock().now)
      let system = Fixture.system("simulated", clock: clock)
      let camera = try await system.openFirst()
      let process = try #require(system.processID)
      try #require(stopChild(process))
      let resolved = Task { try await camera.resolve(Fixture.small) }
      // A timer of a call that has returned may sleep a moment longer.
      try await eventually {
        clock.advance(by: .milliseconds(500))
        return system.processID != process
      }
      let error = await #expect(throws: DeviceError.self) { try await resolved.value }
      #expect(error?.code == .timedOut)
      // The clock may have gone on before the timer has looked.
      #expect(error?.problem.hasPrefix("did not resolve within ") == true)
      try await eventually { !exists(process) }
      await system.shutDown()
    }

    @Test func `a used up library gets a new process unasked`() async throws {
      // The library is used up in all processes: the second failure is reported with another code.
      let system = Fixture.system("faulty", "open", "used")
      let error = await #expect(throws: DeviceError.self) { try await system.openFirst() }
      #expect(error?.code == .timedOut)
      #expect(error?.cause == "it was lost; its process is replaced")
      #expect(system.startCount == 2)
      guard case .used = system.lastEnd?.cause else {
        Issue.record("\(String(describing: system.lastEnd))")
        return
      }
      await system.shutDown()
    }

    /// A camera that hangs is not shown as unplugged, which would stop its recovery.
    @Test(arguments: [("used", DeviceError.Code.timedOut), ("gone", .disconnected)])
    func `a used up camera is reported with its real fault`(
      fault: String, code: DeviceError.Code
    ) async throws {
      let system = Fixture.system("faulty", "start", fault)
      let camera = try await system.openFirst()
      let error = await #expect(throws: DeviceError.self) { try await camera.start(Fixture.small) }
      #expect(error?.code == code)
      let next = try await system.openFirst()
      await next.close()
      #expect(system.startCount == 2)
      await system.shutDown()
    }

    @Test func `a process that sends nonsense is killed`() async throws {
      let system = Fixture.system("garbage")
      let error = await #expect(throws: DeviceError.self) { try await system.cameras() }
      #expect(error?.problem == "cannot be started")
      #expect(error?.cause?.contains(#""this is no message" is no message"#) == true)
      await system.shutDown()
    }

    @Test func `a silent process is killed`() async throws {
      let clock = ManualClock(now: SystemMonotonicClock().now)
      let system = Fixture.system("silent", clock: clock)
      let cameras = Task { try await system.cameras() }
      await clock.untilSleepers(1)
      clock.advance(by: .seconds(15))
      let error = await #expect(throws: DeviceError.self) { try await cameras.value }
      #expect(error?.code == .timedOut)
      #expect(error?.cause?.contains("did not return from \"start\" within 15 s") == true)
      await system.shutDown()
    }

    @Test func `a process that ends at once is reported`() async throws {
      let system = Fixture.system("exit", "78")
      let error = await #expect(throws: DeviceError.self) { try await system.cameras() }
      #expect(error?.cause?.hasSuffix("ended by itself with status 78") == true)
      await system.shutDown()
    }

    @Test func `a missing program is reported`() async throws {
      let system = HostedCameraSystem(
        launch: HostLaunch(path: "/nonexistent/program", arguments: []), logger: .silent)
      let error = await #expect(throws: DeviceError.self) { try await system.cameras() }
      #expect(error?.cause?.hasSuffix("No such file or directory") == true)
      await system.shutDown()
    }

    @Test func `a new start replaces the process`() async throws {
      let system = Fixture.system("simulated")
      let camera = try await system.openFirst()
      let stream = try await camera.start(Fixture.small)
      let lease = try #require(await camera.leaseNext(of: stream))
      let process = try #require(system.processID)
      await system.restart()
      #expect(!exists(process))
      guard case .streamFailed = await stream.events.last() else {
        Issue.record("the stream ended without a reason")
        return
      }
      #expect(system.lastEnd?.cause == .restarted)
      #expect(try lease.withBytes { $0.count } == lease.buffer.byteCount)
      let next = try await system.openFirst()
      await next.close()
      await system.shutDown()
    }

    @Test func `the process dies with its parent`() async throws {
      let parent = try Helper("parent")
      let process = try #require(Int32(parent.line()))
      #expect(process > 0 && exists(process))
      parent.end()
      try await eventually { !exists(process) }
    }
  }
}
