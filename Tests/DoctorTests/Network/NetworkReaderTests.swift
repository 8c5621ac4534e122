import API
import Devices
import Dispatch
import TestSupport
import Testing

@testable import Doctor

/// The rig's report on its network while calls hang that cannot be ended.
@Suite(.timeLimit(.minutes(10))) struct NetworkReaderTests {
  /// Calls that return only when released, like those of a resolver without a network.
  private final class Hanging: Sendable {
    private let over = DispatchSemaphore(value: 0)

    /// Waits, then lets the next call return, too.
    func wait() {
      over.wait()
      over.signal()
    }

    func end() { over.signal() }
  }

  private static let refusal = "not tried: 2 earlier probes have not returned"

  private let clock = ManualClock()
  private let machine: FakeMachine
  private let hanging = Hanging()

  init() throws { machine = try FakeMachine() }

  /// Returns threads that each have a call that hangs and is no longer waited for.
  private func takenThreads() async -> ProbeThread {
    let threads = ProbeThread(limit: 2)
    for _ in 0..<2 {
      let call = Task { [clock, hanging] in await threads.run(clock) { hanging.wait() } }
      await clock.untilSleepers(1)
      clock.advance(by: ProbeThread.timeout)
      _ = await call.value
    }
    return threads
  }

  private func reader(
    files threads: ProbeThread = ProbeThread(), probes: ProbeThread = ProbeThread()
  ) -> NetworkReader {
    let target = TargetProbe(clock: clock, threads: probes)
    return NetworkReader(
      files: NetworkFiles(files: machine.files, addresses: { ["eth0": ["192.168.1.20"]] }),
      clock: clock, threads: threads, ask: { _ in NameServerProbe.Answer(milliseconds: 12) },
      probe: { await target.probe($0) })
  }

  private let place = TargetProbe.Place(target: "archive", url: "https://pages.example/dav/")

  @Test func `a probe without a free thread reports that it was not tried`() async throws {
    let threads = await takenThreads()
    let target = await TargetProbe(clock: clock, threads: threads).probe(place)
    #expect(target.failedStep == .resolve && target.problem == Self.refusal, "\(target)")
    let server = await NameServerProbe(clock: clock, threads: threads).ask("127.0.0.1")
    #expect(server == NameServerProbe.Answer(problem: Self.refusal))
    // A call that returns, however late, gives room for another call.
    hanging.end()
    try await eventually {
      if case .answered(7) = await threads.run(clock, { 7 }) { true } else { false }
    }
  }

  @Test func `the machine's own state is reported while no probe returns`() async {
    let threads = await takenThreads()
    let report = await reader(probes: threads).report(
      targets: [place], isClockSynchronized: true)
    #expect(report.problem == nil)
    #expect(report.interfaces.map(\.name) == ["eth0", "lo"])
    #expect(report.defaultRoutes.map(\.gateway) == ["192.168.1.1"])
    #expect(report.nameServers.map(\.address) == ["192.168.1.1"])
    #expect(report.nameServers.map(\.answerMilliseconds) == [12])
    #expect(report.targets.map(\.problem) == [Self.refusal])
    hanging.end()
  }

  @Test func `unreadable interfaces and routes are reported as unknown`() async {
    let threads = await takenThreads()
    let report = await reader(files: threads, probes: threads).report(
      targets: [place], isClockSynchronized: true)
    #expect(report.interfaces.isEmpty && report.defaultRoutes.isEmpty && report.nameServers.isEmpty)
    #expect(
      report.problem == "interfaces, routes and name servers are not known: \(Self.refusal)")
    #expect(report.targets.map(\.target) == ["archive"])
    hanging.end()
  }

  @Test func `a hanging kernel call is not waited for`() async {
    let reader = NetworkReader(
      files: NetworkFiles(
        files: machine.files,
        addresses: { [hanging] in
          hanging.wait()
          return [:]
        }), clock: clock, threads: ProbeThread(),
      ask: { _ in NameServerProbe.Answer(milliseconds: 12) },
      probe: { TargetProbeReport(target: $0.target, endpoint: "pages.example:443") })
    let asking = Task { [place] in
      await reader.report(targets: [place], isClockSynchronized: true)
    }
    await clock.untilSleepers(1)
    clock.advance(by: ProbeThread.timeout)
    let report = await asking.value
    #expect(report.problem?.contains("the kernel's files are not read within") == true)
    #expect(report.targets.map(\.failedStep) == [nil])
    hanging.end()
  }
}
