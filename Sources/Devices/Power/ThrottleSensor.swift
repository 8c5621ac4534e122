/// The reasons that a board's firmware slows the processor down, or warns that it may have to.
///
/// The bits are those of the Raspberry Pi's firmware (`vcgencmd get_throttled`, mailbox tag
/// `0x00030046`); other boards may have none of them.
package struct ThrottleFlags: OptionSet, Sendable, Hashable {
  /// The bits, numbered as the firmware numbers the current ones.
  package let rawValue: UInt32

  /// Makes flags from the firmware's bits.
  package init(rawValue: UInt32) { self.rawValue = rawValue }

  /// The supply's voltage is below the board's minimum (4.63 V on a Raspberry Pi).
  package static let undervoltage = ThrottleFlags(rawValue: 1 << 0)
  /// The processor's frequency is capped.
  package static let frequencyCapped = ThrottleFlags(rawValue: 1 << 1)
  /// The processor is slowed down.
  package static let throttled = ThrottleFlags(rawValue: 1 << 2)
  /// The firmware's soft temperature limit is reached.
  package static let softTemperatureLimit = ThrottleFlags(rawValue: 1 << 3)

  /// The names of all flags in logs and the API, in the order of their bits.
  package static let names: [(flag: ThrottleFlags, name: String)] = [
    (.undervoltage, "undervoltage"), (.frequencyCapped, "frequencyCapped"),
    (.throttled, "throttled"), (.softTemperatureLimit, "softTemperatureLimit"),
  ]

  /// The names of the flags that are set, in the order of their bits.
  package var names: [String] {
    ThrottleFlags.names.filter { contains($0.flag) }.map(\.name)
  }
}

/// The firmware's report of throttling at one moment.
package struct ThrottleStatus: Sendable, Hashable {
  /// The current flags.
  package var now: ThrottleFlags
  /// The flags seen since the board started; includes ``now``.
  package var sinceBoot: ThrottleFlags
  /// Whether the firmware's flags were read, rather than only an undervoltage alarm.
  package var hasFlags: Bool

  /// Makes a status; current flags are added to those since the start.
  package init(now: ThrottleFlags = [], sinceBoot: ThrottleFlags = [], hasFlags: Bool = true) {
    self.hasFlags = hasFlags
    self.now = now
    self.sinceBoot = sinceBoot.union(now)
  }
}

/// A firmware that monitors the supply and the processor's heat.
package protocol ThrottleSensor: Sendable {
  /// The sensor's display name, for example `firmware`.
  var name: String { get }

  /// Reads the flags.
  ///
  /// - Throws: ``DeviceError``: `absent` on a board without such a firmware, which is no fault;
  ///   `permissionDenied`, `inputOutput`, or `implausible` for a value that is no set of flags.
  func status() async throws(DeviceError) -> ThrottleStatus
}
