/// What makes a board's firmware slow the processor down, or warn that it may have to.
///
/// The bits are those of the Raspberry Pi's firmware (`vcgencmd get_throttled`, mailbox tag
/// `0x00030046`); other boards may have none of them.
public struct ThrottleFlags: OptionSet, Sendable, Hashable {
  /// The bits, as the firmware numbers those that are true now.
  public let rawValue: UInt32

  /// Makes flags from the firmware's bits.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// The supply's voltage is below what the board needs (4.63 V on a Raspberry Pi).
  public static let undervoltage = ThrottleFlags(rawValue: 1 << 0)
  /// The processor's frequency is capped.
  public static let frequencyCapped = ThrottleFlags(rawValue: 1 << 1)
  /// The processor is slowed down.
  public static let throttled = ThrottleFlags(rawValue: 1 << 2)
  /// The firmware's soft temperature limit is reached.
  public static let softTemperatureLimit = ThrottleFlags(rawValue: 1 << 3)

  /// All flags by the names that logs and the API have for them, in the order of their bits.
  public static let names: [(flag: ThrottleFlags, name: String)] = [
    (.undervoltage, "undervoltage"), (.frequencyCapped, "frequencyCapped"),
    (.throttled, "throttled"), (.softTemperatureLimit, "softTemperatureLimit"),
  ]

  /// The names of the flags that are set, in the order of their bits.
  public var names: [String] {
    ThrottleFlags.names.filter { contains($0.flag) }.map(\.name)
  }
}

/// What a firmware says of throttling at one moment.
public struct ThrottleStatus: Sendable, Hashable {
  /// What is true now.
  public var now: ThrottleFlags
  /// What has been true since the board started, as far as anybody has seen it; includes ``now``.
  public var sinceBoot: ThrottleFlags
  /// Whether the firmware's flags were read, and not only an alarm of undervoltage.
  public var hasFlags: Bool

  /// Makes a status; what is true now has also been true since the start.
  public init(now: ThrottleFlags = [], sinceBoot: ThrottleFlags = [], hasFlags: Bool = true) {
    self.hasFlags = hasFlags
    self.now = now
    self.sinceBoot = sinceBoot.union(now)
  }
}

/// A firmware that watches the supply and the processor's heat.
public protocol ThrottleSensor: Sendable {
  /// The sensor as people know it, for example `firmware`.
  var name: String { get }

  /// Reads the flags.
  ///
  /// - Throws: ``DeviceError``: `absent` on a board without such a firmware, which is no fault;
  ///   `permissionDenied`, `inputOutput`, or `implausible` for what is no set of flags.
  func status() async throws(DeviceError) -> ThrottleStatus
}
