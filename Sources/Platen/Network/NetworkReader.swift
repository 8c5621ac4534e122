import API
import Devices

/// Finds out how the rig is connected: reads the kernel's files, and asks name servers and targets
/// side by side.
struct NetworkReader: Sendable {
  let files: NetworkFiles
  let clock: any MonotonicClock
  /// Where the kernel's files are read.
  var threads = ProbeThread.kernelFiles
  let ask: @Sendable (String) async -> NameServerProbe.Answer
  let probe: @Sendable (TargetProbe.Place) async -> TargetProbeReport

  /// What is known on the machine itself.
  private struct Setup: Sendable {
    var interfaces: [NetworkReport.Interface] = []
    var defaultRoutes: [NetworkReport.DefaultRoute] = []
    var otherRoutes: [NetworkReport.Route] = []
    var nameServers: [(address: String, source: String)] = []
  }

  /// The report; takes three steps of ``ProbeThread/patience`` at most.
  func report(
    targets: [TargetProbe.Place], isClockSynchronised: Bool
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
      isClockSynchronised: isClockSynchronised, problem: problem)
  }

  /// What the files say, or why that is not known: those of a kernel that is in trouble may block.
  private func readSetup() async -> (Setup, problem: String?) {
    let read = await threads.run(clock) { [files] in
      Setup(
        interfaces: files.interfaces, defaultRoutes: files.defaultRoutes,
        otherRoutes: files.otherRoutes, nameServers: files.nameServers)
    }
    let why: String
    switch read {
    case .answered(let setup): return (setup, nil)
    case .late: why = "the kernel's files are not read within \(ProbeThread.patience)"
    case .busy(let problem): why = problem
    }
    return (Setup(), "interfaces, routes and name servers are not known: \(why)")
  }
}

/// Does something with each element, side by side, and gives the results in the elements' order.
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
