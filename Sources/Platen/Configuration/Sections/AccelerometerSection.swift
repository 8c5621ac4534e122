package import Devices

/// The section `accelerometer`.
///
/// | key | value | default |
/// |---|---|---|
/// | `device` | the IIO device's name or ID, for example `mpu6050` | required |
/// | `trigger` | the IIO trigger that paces the samples, or `none` for polling | the device's own, else polling |
/// | `rate` | samples a second, 1 to 100 | 10 |
/// | `mount_matrix` | nine numbers as the kernel prints them, instead of the kernel's | the kernel's |
/// | `frozen_after` | the time that readings may be identical to the last bit, or `off` | `30 s` |
package struct AccelerometerSection: Sendable, Hashable {
  /// The IIO device's name or ID.
  package var device: String
  /// The pacing of the samples.
  package var pacing = SamplePacing.device
  /// The number of samples a second.
  package var rate = 10.0
  /// The mount matrix that replaces the kernel's; `nil` for the kernel's.
  package var mountMatrix: MountMatrix?
  /// The time that readings may be identical; `nil` for no limit.
  package var frozenAfter: Duration? = .seconds(30)

  init?(_ section: ConfigurationMapping) {
    section.require("device", "the IIO device's name or ID")
    let device = section.text("device")
    let trigger = section.text("trigger")
    let isPolled = section.says("none", at: "trigger")
    let rate = section.number("rate", in: 1...100)
    let matrix = section.value(
      "mount_matrix", expected: "three rows like \"0, 1, 0; -1, 0, 0; 0, 0, 1\""
    ) { MountMatrix(kernelText: $0) }
    let isOff = section.says("off", at: "frozen_after")
    let frozenAfter =
      isOff ? nil : section.duration("frozen_after", in: .seconds(1)...(.seconds(86_400)))
    section.refuseUnknownKeys()
    guard let device else { return nil }
    self.device = device
    pacing = isPolled ? .polling : trigger.map { .trigger($0) } ?? .device
    self.rate = rate ?? self.rate
    mountMatrix = matrix
    self.frozenAfter = isOff ? nil : frozenAfter ?? self.frozenAfter
  }
}
