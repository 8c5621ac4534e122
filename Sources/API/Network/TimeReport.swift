/// What the rig knows of the time: the answer to `GET /v1/time`.
public struct TimeReport: Sendable, Hashable, Codable {
  /// The wall clock, ISO 8601 in UTC.
  public let time: String
  /// `synchronized` when the kernel says that a time source disciplines its clock, else `estimated`.
  public let trust: String
  /// Whether the year can be.
  public let isPlausible: Bool
  /// Seconds east of Greenwich in the rig's time zone.
  public let secondsFromGMT: Int
  /// Who sets the clock, as far as it shows: `timesyncd` or `chrony`; `nil` when nobody does.
  public let source: String?
  /// How far the kernel is still correcting its clock, in milliseconds; `nil` when it is not
  /// synchronized, and where the service may not ask the kernel.
  public let offsetMilliseconds: Double?
  /// How far the clock may be wrong by the kernel's own reckoning, in milliseconds; `nil` when it is
  /// not synchronized, and where the service may not ask the kernel.
  public let maximumErrorMilliseconds: Double?
  /// `CLOCK_MONOTONIC` in nanoseconds.
  public let monotonicNanoseconds: Int64
  /// The kernel's name of this boot.
  public let bootID: String?
  /// How long the machine has run, in seconds, with the time asleep.
  public let machineUptimeSeconds: Double?
  /// Whether the pictures of this boot have their time, or get it when the clock is synchronised;
  /// `nil` when the spool does not answer.
  public let isBootDated: Bool?

  /// Makes a report.
  public init(
    time: String, trust: String, isPlausible: Bool, secondsFromGMT: Int, source: String?,
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
