package import Devices
package import Settings

/// The section `accelerometer`.
package struct AccelerometerSection: SettingsPart, Hashable {
  /// The IIO device's name or ID.
  package var device = ""
  /// The pacing of the samples.
  package var pacing = SamplePacing.device
  /// The number of samples a second, 1 to 100.
  package var rate = 10.0
  /// The mount matrix that replaces the kernel's; `nil` for the kernel's.
  package var mountMatrix: MountMatrix?
  /// The time that readings may be identical, 1 s to 24 h; `nil` for no limit.
  package var frozenAfter: Duration? = .seconds(30)

  /// Makes the section without its device, which a file has to name.
  package init() {}

  /// The keys of the section.
  package static let settings: [Setting<AccelerometerSection>] = [
    Setting(
      \.device, "device", .text(), required: "the IIO device's name or ID",
      "the IIO device's name or ID, for example mpu6050"),
    Setting(
      \.pacing, "trigger", pacingForm, default: "the device's own, else none",
      "the IIO trigger that paces the samples; none polls"),
    Setting(
      \.rate, "rate", .number(1...100, unit: "samples a second"),
      "the number of samples a second"),
    Setting(
      \.mountMatrix, "mount_matrix", matrixForm, default: "the kernel's",
      "the turn of the sensor in the rig, in the kernel's format"),
    Setting(
      \.frozenAfter, "frozen_after", frozenForm,
      "the time that readings may be identical to the last bit"),
  ]

  private static let pacingForm: SettingForm<SamplePacing> = SettingForm<String>
    .text("a text", range: "the name of a trigger, or none")
    .map(
      { (name: String) -> SamplePacing? in name == "none" ? .polling : .trigger(name) },
      text: { (pacing: SamplePacing) -> String in "\(pacing)" })

  private static let matrixForm = SettingForm<MountMatrix>(
    "text", range: "nine numbers in three rows",
    expected: "three rows like \"0, 1, 0; -1, 0, 0; 0, 0, 1\"",
    parse: { MountMatrix(kernelText: $0) })

  private static let frozenForm: SettingForm<Duration?> = SettingForm<Duration>
    .duration(.seconds(1)...(.seconds(86_400)))
    .or("off")
}

extension PlatenConfiguration {
  /// The setting of the section `accelerometer`.
  static let accelerometerSetting = Setting<PlatenConfiguration>.section(
    \PlatenConfiguration.accelerometer, "accelerometer",
    default: "none: pictures keep the mounting angle",
    "the sensor of the rig's position")
}
