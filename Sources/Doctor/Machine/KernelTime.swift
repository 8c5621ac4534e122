internal import CTimex

/// The kernel's state of its clock (`adjtimex`), in nanoseconds.
struct KernelTime: Sendable, Hashable {
  /// The correction of the clock that is still in progress.
  var offset: Int64
  /// The clock's maximum error, as the kernel estimates it.
  var maximumError: Int64

  /// Asks the kernel; returns `nil` while the clock is not synchronized.
  ///
  /// The unit's sandbox refuses the call, so the result is also `nil` there.
  static func read() -> KernelTime? {
    var state = timex()
    let result = adjtimex(&state)
    guard result >= 0, result != TIME_ERROR, state.status & STA_UNSYNC == 0 else { return nil }
    let isNano = state.status & STA_NANO != 0
    return KernelTime(
      offset: Int64(state.offset) * (isNano ? 1 : 1000), maximumError: Int64(state.maxerror) * 1000)
  }

  /// Returns the machine's uptime in seconds, including sleep (`/proc/uptime`).
  static func uptime(_ files: KernelFiles) -> Double? {
    files.read("/proc/uptime")?.split(separator: " ").first.flatMap { Double($0) }
  }

  /// Returns the time service that sets the clock, as its files show it; `nil` for none.
  static func source(_ files: KernelFiles) -> String? {
    if files.exists("/run/systemd/timesync/synchronized") { return "timesyncd" }
    return files.exists("/run/chrony") ? "chrony" : nil
  }
}
