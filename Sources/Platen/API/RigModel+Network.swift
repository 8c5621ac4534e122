import API
import Devices
import Spool

/// The API's requests about the network and the time.
extension RigModel {
  func addNetwork(to operations: inout OperationHandlers) {
    operations.on(Operations.network) { await network() }
    operations.on(Operations.time) { await time() }
  }

  func network() async -> NetworkReport {
    let places = targets.compactMap { TargetCheck.Target($0.section).place }
    return await networkReports.report { await NetworkReport.ofMachine(targets: places) }
  }

  func time() async -> TimeReport {
    let statistics = try? await ask(within: .seconds(1)) { spool throws(SpoolError) in
      try await spool.stats()
    }
    return TimeReport.ofMachine(isBootDated: statistics?.isClockSynchronized)
  }
}

extension NetworkReport {
  /// Returns the current network of this machine and the reachability of each target.
  ///
  /// - Parameter mayRead: as ``TargetProbe/mayRead``.
  static func ofMachine(
    targets: [TargetProbe.Place], mayRead: @escaping @Sendable (String) -> Bool = { _ in true }
  ) async -> NetworkReport {
    let clock = SystemMonotonicClock()
    let servers = NameServerProbe(clock: clock)
    let probe = TargetProbe(clock: clock, mayRead: mayRead)
    let reader = NetworkReader(
      files: NetworkFiles(
        files: KernelFiles(), addresses: { NetworkFiles.kernelAddresses() }),
      clock: clock, ask: { await servers.ask($0) }, probe: { await probe.probe($0) })
    return await reader.report(
      targets: targets,
      isClockSynchronized: WallClock().reading(at: clock.now).trust == .synchronized)
  }
}

extension TimeReport {
  /// Returns the current time of this machine.
  ///
  /// - Parameter isBootDated: whether the times of this boot are known; `nil` when this is unknown.
  static func ofMachine(isBootDated: Bool?) -> TimeReport {
    let now = SystemMonotonicClock().now
    let reading = WallClock().reading(at: now)
    let kernel = KernelTime.read()
    return TimeReport(
      time: ISO8601Time.text(nanoseconds: reading.nanosecondsSinceEpoch),
      trust: reading.trust.rawValue, isPlausible: reading.isPlausible,
      secondsFromGMT: reading.secondsFromGMT, source: KernelTime.source(KernelFiles()),
      offsetMilliseconds: kernel.map { Double($0.offset) / 1e6 },
      maximumErrorMilliseconds: kernel.map { Double($0.maximumError) / 1e6 },
      monotonicNanoseconds: now.nanoseconds, bootID: BootID.current,
      machineUptimeSeconds: KernelTime.uptime(KernelFiles()), isBootDated: isBootDated)
  }
}
