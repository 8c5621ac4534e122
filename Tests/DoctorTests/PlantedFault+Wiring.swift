import API

@testable import Doctor

/// Faults of the wiring: device tree, kernel and configuration differ.
extension PlantedFault {
  static let ofWiring: [PlantedFault] = [
    .init(
      name: "watchdog that nobody feeds", part: .wiring, verdict: .warning,
      code: "watchdogNotArmed", advice: "Check \"dtparam=watchdog=on\"",
      plant: { _, machine in
        try machine.write("inactive\n", to: "/sys/class/watchdog/watchdog0/state")
      }),
    .init(
      name: "no watchdog on a Raspberry Pi", part: .wiring, verdict: .warning,
      code: "watchdogNotArmed", advice: "Check \"dtparam=watchdog=on\"",
      plant: { _, machine in try machine.remove("/sys/class/watchdog") }),
    .init(
      name: "LED without its driver", part: .wiring, verdict: .warning, code: "deviceNotDriven",
      advice: "Check the part's cable", consequences: ["lightAbsent"],
      plant: { _, machine in try machine.remove("/sys/class/leds/rig:green:ready") }),
    .init(
      name: "LED without its overlay", part: .wiring, verdict: .warning,
      code: "deviceNotDeclared", advice: "Add \"dtoverlay=platen-rig\"",
      consequences: ["lightAbsent"],
      plant: { _, machine in
        try machine.remove("/sys/class/leds/rig:green:ready")
        try machine.remove("/proc/device-tree/rig-leds")
      }),
    .init(
      name: "sensor on a disabled bus", isServiceRunning: false, part: .wiring,
      verdict: .warning, code: "deviceNotDeclared", advice: "Add \"dtoverlay=platen-rig\"",
      consequences: ["accelerometer"],
      plant: { _, machine in
        try machine.remove("/sys/bus/iio/devices/iio:device0")
        try machine.write("disabled\0", to: "/proc/device-tree/soc/i2c@7e804000/status")
      }),
    .init(
      name: "LED that the configuration does not name", part: .wiring, verdict: .warning,
      code: "deviceNotConfigured", advice: "Add the part to the configuration",
      plant: { _, machine in try machine.declareLED("rig:blue:upload", line: 1) }),
    .init(
      name: "line that the device tree gives to an LED", part: .wiring, verdict: .warning,
      code: "lineInDeviceTree", advice: "Replace the line",
      plant: { _, machine in try machine.declareLED("rig:red:fault", line: 3) }),
  ]
}
