package import Devices

/// The rig's knowledge of the time: the answer to `GET /v1/time`.
package struct TimeReport: Sendable, Hashable, Codable {
  /// The time of the wall clock, ISO 8601 in UTC.
  package let time: String
  /// The trust: `synchronized` when a time source disciplines the kernel's clock, else `estimated`.
  package let trust: Word<WallTrust>
  /// Whether the year is plausible.
  package let isPlausible: Bool
  /// The seconds east of Greenwich in the rig's time zone.
  package let secondsFromGMT: Int
  /// The program that is seen to set the clock: `timesyncd` or `chrony`; `nil` for none.
  package let source: String?
  /// The correction that the kernel still has to make to its clock, in milliseconds.
  ///
  /// `nil` when the clock is not synchronized, and where the service may not ask the kernel.
  package let offsetMilliseconds: Double?
  /// The error that the clock has at most by the kernel's own reckoning, in milliseconds.
  ///
  /// `nil` when the clock is not synchronized, and where the service may not ask the kernel.
  package let maximumErrorMilliseconds: Double?
  /// The time on `CLOCK_MONOTONIC` in nanoseconds.
  package let monotonicNanoseconds: Int64
  /// The kernel's ID of this boot.
  package let bootID: String?
  /// The time that the machine has run, in seconds, with the time asleep.
  package let machineUptimeSeconds: Double?
  /// Whether the pictures of this boot have their time, or get it from a synchronized clock.
  ///
  /// `nil` when the spool does not answer.
  package let isBootDated: Bool?

  package init(
    time: String, trust: Word<WallTrust>, isPlausible: Bool, secondsFromGMT: Int, source: String?,
    offsetMilliseconds: Double?, maximumErrorMilliseconds: Double?, monotonicNanoseconds: Int64,
    bootID: String?, machineUptimeSeconds: Double?, isBootDated: Bool?
  ) {
    self.time = time
    self.trust = trust
    self.isPlausible = isPlausible
    self.secondsFromGMT = secondsFromGMT
    self.source = source
    self.offsetMilliseconds = finite(offsetMilliseconds)
    self.maximumErrorMilliseconds = finite(maximumErrorMilliseconds)
    self.monotonicNanoseconds = monotonicNanoseconds
    self.bootID = bootID
    self.machineUptimeSeconds = finite(machineUptimeSeconds)
    self.isBootDated = isBootDated
  }
}
