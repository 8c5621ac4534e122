/// The device tree of the machine: its model, and the overlay of a rig with a light and a sensor.
extension FakeMachine {
  /// The directory of the LED that the tree declares.
  static let ledNode = "/proc/device-tree/rig-leds/led-ready"
  /// The directory of the sensor that the tree declares.
  static let sensorNode = "/proc/device-tree/soc/i2c@7e804000/accelerometer@18"

  /// Every property of the tree and its content.
  static let deviceTree: [(path: String, text: String)] = [
    ("/proc/device-tree/name", "\0"),
    ("/proc/device-tree/model", "Raspberry Pi 4 Model B Rev 1.4\0"),
    ("/proc/device-tree/soc/name", "soc\0"),
    ("/proc/device-tree/soc/gpio@7e200000/name", "gpio\0"),
    ("/proc/device-tree/soc/gpio@7e200000/phandle", "\0\0\0\u{7}"),
    ("/proc/device-tree/soc/gpio@7e200000/gpio-line-names", "SHUTTER\0\0READY\0FAULT\0"),
    ("/proc/device-tree/soc/i2c@7e804000/name", "i2c\0"),
    ("/proc/device-tree/soc/i2c@7e804000/status", "okay\0"),
    (sensorNode + "/name", "accelerometer\0"),
    (sensorNode + "/compatible", "st,lis3dh-accel\0"),
    ("/proc/device-tree/rig-leds/name", "rig-leds\0"),
    ("/proc/device-tree/rig-leds/compatible", "gpio-leds\0"),
    (ledNode + "/name", "led-ready\0"),
    (ledNode + "/label", "rig:green:ready\0"),
    (ledNode + "/gpios", gpios(line: 2)),
  ]

  /// Returns the property that gives an LED a line of the tree's only chip, active high.
  static func gpios(line: UInt8) -> String {
    "\0\0\0\u{7}\0\0\0\(UnicodeScalar(line))\0\0\0\0"
  }

  /// Declares another LED in the tree.
  func declareLED(_ label: String, line: UInt8) throws {
    let node = "/proc/device-tree/rig-leds/led-other"
    try write("led-other\0", to: node + "/name")
    try write(label + "\0", to: node + "/label")
    try write(Self.gpios(line: line), to: node + "/gpios")
  }
}
