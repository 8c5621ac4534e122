public import Devices

/// The accelerometer: the section `accelerometer`.
///
/// | key | value | default |
/// |---|---|---|
/// | `device` | the IIO device's name or ID, for example `lis3dh` or `iio:device0` | required on the board `linux` |
/// | `trigger` | the IIO trigger's name | none: the sensor is polled |
/// | `rate` | 1...100 samples a second | `10` |
/// | `mount_matrix` | three rows split by `;`, numbers by `,`, instead of the kernel's own | the kernel's |
/// | `frozen_after` | `off`, or 1 s to 1 h of the very same reading, then the sensor counts as frozen | `30 s` |
public struct AccelerometerConfiguration: Sendable, Hashable {
  /// The IIO device's name or ID; `nil` only on the simulated board.
  public var device: String?
  /// The IIO trigger's name; `nil` to poll.
  public var trigger: String?
  /// Wanted samples a second.
  public var rate: Double
  /// The mount matrix that replaces the kernel's; `nil` to keep it.
  public var mountMatrix: MountMatrix?
  /// How long the reading may stay the very same; `nil` for ever.
  public var frozenAfter: Duration?

  init(reading mapping: ConfigurationMapping, board: BoardKind?) {
    let device = ConfigurationKind.text("an IIO device's name or ID")
    self.device =
      board == .linux
      ? mapping.require("device", as: device) : mapping.read("device", as: device)
    trigger = mapping.read("trigger", as: .text("an IIO trigger's name"))
    rate = mapping.read("rate", as: .number(1...100, unit: "samples a second"), default: 10)
    mountMatrix = mapping.read("mount_matrix", as: .mountMatrix)
    let duration = ConfigurationKind<Duration>.duration(.seconds(1) ... .seconds(3600))
    frozenAfter = mapping.read(
      "frozen_after", as: .orOff(duration), default: .some(.seconds(30)))
  }
}

extension ConfigurationKind<Duration?> {
  /// A duration, or `off` for none.
  fileprivate static func orOff(_ kind: ConfigurationKind<Duration>) -> ConfigurationKind {
    ConfigurationKind("off or \(kind.expected)") { text in
      if text == "off" { return .some(nil) }
      return kind.value(of: text).map { .some($0) }
    }
  }
}
