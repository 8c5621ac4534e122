internal import CSystemd
package import Devices
import Foundation
import Synchronization

/// The kernel clock's synchronization to a time source, as systemd's time service reports it.
///
/// The property is `NTPSynchronized` of `org.freedesktop.timedate1`, over D-Bus. The time service
/// queries the kernel by `adjtimex`, which a sandbox with `ProtectClock=` (systemd.exec(5))
/// refuses.
package final class TimedateClock: Sendable {
  /// The clock that uses the time service of the system's bus.
  package static let shared = TimedateClock()
  /// The age of an answer at which it is requested again.
  static let interval = Duration.seconds(30)
  /// The timeout of an answer.
  private static let timeout = Duration.seconds(15)

  private struct State {
    var latest: Bool?
    var asked: MonotonicInstant?
    var isAsking = false
  }

  private let busAddress: String?
  private let clock: any MonotonicClock
  private let queue = DispatchQueue(label: "platen.timedate")
  private let state = Mutex(State())

  /// Makes a clock; no connection is opened before the first query.
  ///
  /// - Parameters:
  ///   - busAddress: the D-Bus address; by default the system's bus.
  ///   - clock: the clock that determines the age of an answer.
  package init(busAddress: String? = nil, clock: any MonotonicClock = SystemMonotonicClock()) {
    self.busAddress = busAddress
    self.clock = clock
  }

  /// The latest answer; `nil` before there is one, and when the query fails.
  ///
  /// A new query is sent when the answer is older than half a minute, without waiting for it. A
  /// clock that was synchronized at the last query has hardly drifted since.
  package var isSynchronized: Bool? {
    let now = clock.now
    let (latest, isDue) = state.withLock { state in
      let isDue =
        !state.isAsking && (state.asked.map { $0.duration(to: now) >= Self.interval } ?? true)
      if isDue { (state.asked, state.isAsking) = (now, true) }
      return (state.latest, isDue)
    }
    if isDue { queue.async { [self] in ask() } }
    return latest
  }

  /// Waits until the sent query is answered.
  func settle() {
    queue.sync {}
  }

  private func ask() {
    var bus: OpaquePointer?
    defer { sd_bus_flush_close_unref(bus) }
    var value: Int32 = 0
    var failure = sd_bus_error()
    defer { sd_bus_error_free(&failure) }
    var result = SystemBus.connect(&bus, to: busAddress)
    if result >= 0 {
      result = sd_bus_set_method_call_timeout(bus, UInt64(Self.timeout.wholeNanoseconds / 1000))
    }
    if result >= 0 {
      let name = "org.freedesktop.timedate1"
      result = sd_bus_get_property_trivial(
        bus, name, "/org/freedesktop/timedate1", name, "NTPSynchronized", &failure,
        CChar(bitPattern: UInt8(ascii: "b")), &value)
    }
    let answer = result < 0 ? nil : value != 0
    state.withLock { ($0.latest, $0.isAsking) = (answer, false) }
  }
}

/// The connection to the system's D-Bus, or another.
enum SystemBus {
  /// Connects to an address, or to the system's bus; the result is negative when that fails.
  static func connect(_ bus: inout OpaquePointer?, to address: String?) -> Int32 {
    guard let address else { return sd_bus_open_system(&bus) }
    var result = sd_bus_new(&bus)
    if result >= 0 { result = sd_bus_set_address(bus, address) }
    if result >= 0 { result = sd_bus_set_bus_client(bus, 1) }
    if result >= 0 { result = sd_bus_start(bus) }
    return result
  }
}
