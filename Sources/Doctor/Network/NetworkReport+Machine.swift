package import API
import Devices
package import RigConfiguration
import Spool

extension NetworkReport {
  /// Returns the current network of this machine and the reachability of each target.
  ///
  /// - Parameter isService: whether this process is the service; any other process may be unable to
  ///   read the files of a target, which then proves nothing.
  package static func ofMachine(
    targets: [TargetSection], isService: Bool
  ) async -> NetworkReport {
    let clock = SystemMonotonicClock()
    let servers = NameServerProbe(clock: clock)
    let probe =
      isService
      ? TargetProbe(clock: clock) : TargetProbe(clock: clock, mayRead: TargetProbe.isReadable)
    let reader = NetworkReader(
      files: NetworkFiles(
        files: KernelFiles(), addresses: { NetworkFiles.kernelAddresses() }),
      clock: clock, ask: { await servers.ask($0) }, probe: { await probe.probe($0) })
    return await reader.report(
      targets: targets.compactMap { TargetCheck.Target($0).place },
      isClockSynchronized: WallClock().reading(at: clock.now).trust == .synchronized)
  }
}
