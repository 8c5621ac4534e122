import API
import Devices
import LinuxDevices
import RigConfiguration

/// The check of the wiring: the device tree against the kernel's devices and the configuration.
///
/// The checks of the parts report a device that does not work. This check compares the three
/// descriptions of the board, so that the cause in one of them is found.
struct WiringCheck: DoctorCheck {
  let part = DoctorPart.wiring
  let configuration: PlatenConfiguration
  let files: KernelFiles
  /// The look at the lines.
  let lines: LineLook

  func findings() async -> [DoctorReport.Finding] {
    guard configuration.board != .simulated else { return [notChecked("the board is simulated")] }
    let tree = DeviceTree(files: files)
    guard let model = tree.model else { return [notChecked("this machine has no device tree")] }
    let leds = tree.leds
    return [ok(model, of: "model"), watchdog(of: model)]
      + wires.map { finding(of: $0.wire, $0.subject, leds) }
      + accelerometer(tree) + unusedLights(leds)
  }

  /// Returns the state of the hardware watchdog, which systemd feeds (`RuntimeWatchdogSec=`).
  ///
  /// Source: Documentation/ABI/testing/sysfs-class-watchdog.
  private func watchdog(of model: String) -> Finding {
    let subject = "watchdog"
    let directory = "/sys/class/watchdog/watchdog0"
    guard files.exists(directory) else {
      return model.hasPrefix("Raspberry Pi")
        ? warning(.watchdogNotArmed, "the kernel has no watchdog", of: subject)
        : notChecked("the kernel has no watchdog", of: subject)
    }
    switch files.read(directory + "/state") {
    case "active":
      let seconds = files.read(directory + "/timeout") ?? "some"
      return ok("a machine that hangs is reset after \(seconds) s", of: subject)
    case "inactive":
      return warning(.watchdogNotArmed, "the watchdog is not armed", of: subject)
    default: return notChecked("the kernel does not say whether it is armed", of: subject)
    }
  }

  /// The configured lines and kernel LEDs with their owners, in the order of the other checks.
  private var wires: [(subject: String, wire: IndicatorSection)] {
    let buttons = configuration.buttons.map {
      (subject: $0.name, wire: IndicatorSection.line($0.line, isActiveLow: false))
    }
    let lights = IndicatorRole.allCases.compactMap { role in
      configuration.indicators[role].map { (subject: role.rawValue, wire: $0) }
    }
    let lamp = configuration.lamp.map { [(subject: "lamp", wire: $0.light)] } ?? []
    let lamps = configuration.lamps.map { (subject: "lamp \($0.name)", wire: $0.light) }
    return buttons + lights + lamp + lamps
  }

  private func finding(
    of wire: IndicatorSection, _ subject: String, _ leds: [DeviceTree.LED]
  ) -> Finding {
    switch wire {
    case .led(let name): ledFinding(name, subject, leds.first { $0.name == name })
    case .line(let line, _):
      if let led = leds.first(where: { $0.isEnabled && takes($0, line) }) {
        warning(
          .lineInDeviceTree, "the device tree gives the line \(line) to the LED \"\(led.name)\"",
          of: subject)
      } else {
        state(of: line, subject)
      }
    }
  }

  private func ledFinding(
    _ name: String, _ subject: String, _ led: DeviceTree.LED?
  ) -> Finding {
    let isThere = files.exists("/sys/class/leds/" + name)
    guard let led else {
      return isThere
        ? ok("the kernel has the LED \"\(name)\", without the device tree", of: subject)
        : warning(
          .deviceNotDeclared, "neither the device tree nor the kernel has the LED \"\(name)\"",
          of: subject)
    }
    if isThere {
      let line = led.line.map { " at the line \($0)" } ?? ""
      return ok("device tree and kernel have the LED \"\(name)\"\(line)", of: subject)
    }
    return led.isEnabled
      ? warning(
        .deviceNotDriven, "the device tree has the LED \"\(name)\", and the kernel does not",
        of: subject)
      : warning(
        .deviceNotDeclared, "the LED \"\(name)\" is disabled in the device tree", of: subject)
  }

  private func takes(_ led: DeviceTree.LED, _ line: GPIOLineAddress) -> Bool {
    guard case .name(let name) = line else { return false }
    return led.line == name
  }

  /// Returns the holder of a line; a problem with it is a finding of its part.
  private func state(of line: GPIOLineAddress, _ subject: String) -> Finding {
    switch lines.look(line) {
    case .failure(let error): return notChecked("\(error)", of: subject)
    case .success(let found):
      let state = found.isUsed ? "held by \(found.holder)" : "free"
      return ok("the line \(line) is \(state)", of: subject)
    }
  }

  private func accelerometer(_ tree: DeviceTree) -> [Finding] {
    let subject = "accelerometer"
    guard let name = configuration.accelerometer?.device else {
      return tree.nodes.filter { $0.isEnabled && $0.name.hasPrefix("accelerometer@") }.map {
        warning(
          .deviceNotConfigured, "the configuration does not name the sensor \"\($0.path)\"",
          of: subject)
      }
    }
    let isThere = files.iioDevice(named: name) != nil
    let node = tree.nodes(of: name).first
    switch (node, isThere) {
    case (nil, true):
      return [ok("the kernel has the sensor \"\(name)\", without the device tree", of: subject)]
    case (nil, false):
      return [
        warning(
          .deviceNotDeclared, "neither the device tree nor the kernel has the sensor \"\(name)\"",
          of: subject)
      ]
    case (let node?, true):
      return [ok("device tree and kernel have the sensor \"\(node.path)\"", of: subject)]
    case (let node?, false):
      return node.isEnabled
        ? [
          warning(
            .deviceNotDriven,
            "the device tree has the sensor \"\(node.path)\", and the kernel does not",
            of: subject)
        ]
        : [
          warning(
            .deviceNotDeclared, "the sensor \"\(node.path)\" or its bus is disabled", of: subject)
        ]
    }
  }

  /// Returns the rig's own LEDs in the tree that no part of the configuration uses in any way.
  private func unusedLights(_ leds: [DeviceTree.LED]) -> [Finding] {
    leds.filter { led in
      led.isEnabled && led.name.hasPrefix("rig:")
        && !wires.contains { wire in
          switch wire.wire {
          case .led(let name): led.name == name
          case .line(let line, _): takes(led, line)
          }
        }
    }.map {
      warning(
        .deviceNotConfigured, "the configuration does not name the LED \"\($0.name)\"", of: $0.name)
    }
  }
}
