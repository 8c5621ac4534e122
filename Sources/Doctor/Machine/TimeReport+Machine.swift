package import API
import Devices
import Spool

extension TimeReport {
  /// Returns the current time of this machine.
  ///
  /// - Parameters:
  ///   - isBootDated: whether the times of this boot are known; `nil` when this is unknown.
  ///   - bootID: the kernel's name of this boot; `nil` when it cannot be read.
  package static func ofMachine(isBootDated: Bool?, bootID: String?) -> TimeReport {
    let now = SystemMonotonicClock().now
    let reading = WallClock().reading(at: now)
    let kernel = KernelTime.read()
    return TimeReport(
      time: ISO8601Time.text(nanoseconds: reading.nanosecondsSinceEpoch),
      trust: Word(reading.trust), isPlausible: reading.isPlausible,
      secondsFromGMT: reading.secondsFromGMT, source: KernelTime.source(KernelFiles()),
      offsetMilliseconds: kernel.map { Double($0.offset) / 1e6 },
      maximumErrorMilliseconds: kernel.map { Double($0.maximumError) / 1e6 },
      monotonicNanoseconds: now.nanoseconds, bootID: bootID,
      machineUptimeSeconds: KernelTime.uptime(KernelFiles()), isBootDated: isBootDated)
  }
}
