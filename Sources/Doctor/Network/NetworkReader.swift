import API
import Devices

/// A reader of the rig's connections.
///
/// The reader examines the kernel's files, and asks name servers and targets in parallel.
struct NetworkReader: Sendable {
  let files: NetworkFiles
  let clock: any MonotonicClock
  /// The threads that read the kernel's files.
  var threads = ProbeThread.kernelFiles
  let ask: @Sendable (String) async -> NameServerProbe.Answer
  let probe: @Sendable (TargetProbe.Place) async -> TargetProbeReport

  /// The setup that the machine itself knows.
  private struct Setup: Sendable {
    var interfaces: [NetworkReport.Interface] = []
    var defaultRoutes: [NetworkReport.DefaultRoute] = []
    var otherRoutes: [NetworkReport.Route] = []
    var nameServers: [(address: String, source: String)] = []
  }

  /// Returns the report; takes at most three steps of ``ProbeThread/timeout``.
  func report(
    targets: [TargetProbe.Place], isClockSynchronized: Bool
  ) async -> NetworkReport {
    async let ways = inOrder(targets) { [probe] in await probe($0) }
    let (setup, problem) = await readSetup()
    async let answers = inOrder(setup.nameServers) { [ask] server in
      let answer = await ask(server.address)
      return NetworkReport.NameServer(
        address: server.address, source: server.source,
        answerMilliseconds: answer.milliseconds, problem: answer.problem)
    }
    return NetworkReport(
      interfaces: setup.interfaces, defaultRoutes: setup.defaultRoutes,
      otherRoutes: setup.otherRoutes, nameServers: await answers, targets: await ways,
      isClockSynchronized: isClockSynchronized, problem: problem)
  }

  /// Reads the setup, or returns the reason for a failure: files of a faulty kernel may block.
  private func readSetup() async -> (Setup, problem: String?) {
    let read = await threads.run(clock) { [files] in
      Setup(
        interfaces: files.interfaces, defaultRoutes: files.defaultRoutes,
        otherRoutes: files.otherRoutes, nameServers: files.nameServers)
    }
    let why: String
    switch read {
    case .answered(let setup): return (setup, nil)
    case .late: why = "the kernel's files are not read within \(ProbeThread.timeout)"
    case .busy(let problem): why = problem
    }
    return (Setup(), "interfaces, routes and name servers are not known: \(why)")
  }
}

/// Runs a body with all elements in parallel, and returns the results in the elements' order.
func inOrder<Element: Sendable, Result: Sendable>(
  _ elements: [Element], _ body: @escaping @Sendable (Element) async -> Result
) async -> [Result] {
  await withTaskGroup(of: (Int, Result).self) { group in
    for (index, element) in elements.enumerated() {
      group.addTask { (index, await body(element)) }
    }
    var results: [(Int, Result)] = []
    for await result in group { results.append(result) }
    return results.sorted { $0.0 < $1.0 }.map(\.1)
  }
}
