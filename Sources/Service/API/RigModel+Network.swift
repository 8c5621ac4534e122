import API
import Doctor
import Spool

/// The API's requests about the network and the time.
extension RigModel {
  func addNetwork(to operations: inout OperationHandlers) {
    operations.on(Operations.network) { await network() }
    operations.on(Operations.time) { await time() }
  }

  func network() async -> NetworkReport {
    let sections = targets.map(\.section)
    return await networkReports.report {
      await NetworkReport.ofMachine(targets: sections, isService: true)
    }
  }

  func time() async -> TimeReport {
    let statistics = try? await ask(within: .seconds(1)) { spool throws(SpoolError) in
      try await spool.stats()
    }
    return TimeReport.ofMachine(isBootDated: statistics?.isClockSynchronized, bootID: bootID)
  }
}
