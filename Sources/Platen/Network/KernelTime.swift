internal import CTimex

/// What the kernel says of its own clock (`adjtimex`), in nanoseconds.
struct KernelTime: Sendable, Hashable {
  /// How far it is still correcting the clock.
  var offset: Int64
  /// How far the clock may be wrong by its own reckoning.
  var maximumError: Int64

  /// Asks the kernel; `nil` while the clock is not synchronized, and in the unit's sandbox, which
  /// refuses the call.
  static func read() -> KernelTime? {
    var state = timex()
    let result = adjtimex(&state)
    guard result >= 0, result != TIME_ERROR, state.status & STA_UNSYNC == 0 else { return nil }
    let isNano = state.status & STA_NANO != 0
    return KernelTime(
      offset: Int64(state.offset) * (isNano ? 1 : 1000), maximumError: Int64(state.maxerror) * 1000)
  }

  /// How long the machine has run, in seconds, with the time asleep (`/proc/uptime`).
  static func uptime(_ files: KernelFiles) -> Double? {
    files.read("/proc/uptime")?.split(separator: " ").first.flatMap { Double($0) }
  }

  /// Who sets the clock, as far as its files show it; `nil` when nobody does.
  static func source(_ files: KernelFiles) -> String? {
    if files.exists("/run/systemd/timesync/synchronized") { return "timesyncd" }
    return files.exists("/run/chrony") ? "chrony" : nil
  }
}
