/// The reason that a board's firmware slows the processor down, or warns that it may have to.
///
/// The names stand in logs and in the API. The cases are in the order of their bits.
package enum ThrottleFlag: String, Sendable, Hashable, Codable, CaseIterable {
  /// The supply's voltage is below the board's minimum (4.63 V on a Raspberry Pi).
  case undervoltage
  /// The processor's frequency is capped.
  case frequencyCapped
  /// The processor is slowed down.
  case throttled
  /// The firmware's soft temperature limit is reached.
  case softTemperatureLimit

  /// The number of the flag's bit, as the firmware numbers the current ones.
  fileprivate var bit: Int {
    switch self {
    case .undervoltage: 0
    case .frequencyCapped: 1
    case .throttled: 2
    case .softTemperatureLimit: 3
    }
  }
}

/// The flags of a board's firmware that are set.
///
/// The bits are those of the Raspberry Pi's firmware (`vcgencmd get_throttled`, mailbox tag
/// `0x00030046`); other boards may have none of them.
package struct ThrottleFlags: OptionSet, Sendable, Hashable {
  /// The bits, numbered as the firmware numbers the current ones.
  package let rawValue: UInt32

  /// Makes flags from the firmware's bits.
  package init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Makes the set of one flag.
  package init(_ flag: ThrottleFlag) { self.init(rawValue: 1 << flag.bit) }

  /// The set of ``ThrottleFlag/undervoltage``.
  package static let undervoltage = ThrottleFlags(ThrottleFlag.undervoltage)
  /// The set of ``ThrottleFlag/frequencyCapped``.
  package static let frequencyCapped = ThrottleFlags(ThrottleFlag.frequencyCapped)
  /// The set of ``ThrottleFlag/throttled``.
  package static let throttled = ThrottleFlags(ThrottleFlag.throttled)
  /// The set of ``ThrottleFlag/softTemperatureLimit``.
  package static let softTemperatureLimit = ThrottleFlags(ThrottleFlag.softTemperatureLimit)

  /// The flags that are set, in the order of their bits.
  package var elements: [ThrottleFlag] {
    ThrottleFlag.allCases.filter { contains(ThrottleFlags($0)) }
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
