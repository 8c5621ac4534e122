import Devices
import LinuxDevices
import Settings

/// The owners of the GPIO lines and kernel LEDs, each of which may have one owner.
struct WiringTable {
  private enum Wire: Hashable {
    case line(GPIOLineAddress)
    case led(String)
  }

  private var owners: [Wire: String] = [:]

  /// Notes an issue for each line or LED that several parts of a configuration use.
  ///
  /// - Parameters:
  ///   - buttons: the buttons, in the order of the file.
  ///   - indicators: the lights.
  ///   - lamp: the lamp.
  ///   - lamps: the lamps of brackets.
  ///   - root: the whole file.
  static func refuseSharedWires(
    _ buttons: [ButtonSection], _ indicators: [IndicatorRole: IndicatorSection],
    _ lamp: LampSection?, _ lamps: [StepLamp], _ root: SettingsSection
  ) {
    var table = WiringTable()
    for role in IndicatorRole.allCases {
      guard let light = indicators[role],
        let problem = table.take(wire(light), "light \"\(role.rawValue)\"")
      else { continue }
      root.section("indicators")?.note(problem, at: role.rawValue)
    }
    if let lamp, let problem = table.take(wire(lamp.light), "lamp") {
      root.note(problem, at: "lamp")
    }
    for lamp in lamps {
      guard let problem = table.take(wire(lamp.light), "lamp \"\(lamp.name)\"") else { continue }
      root.section("lamps")?.note(problem, at: lamp.name)
    }
    let section = root.has("buttons") ? root.section("buttons") : nil
    for button in buttons {
      guard let problem = table.take(.line(button.line), "button \"\(button.name)\"") else {
        continue
      }
      if let section {
        section.note(problem, at: button.name)
      } else {
        root.note(problem, at: "shutter")
      }
    }
  }

  private static func wire(_ light: IndicatorSection) -> Wire {
    switch light {
    case .led(let name): .led(name)
    case .line(let line, _): .line(line)
    }
  }

  /// Gives a wire to an owner; returns the problem if another owner has it.
  ///
  /// Several owners may be without a wire, which is an issue of each section.
  private mutating func take(_ wire: Wire, _ owner: String) -> String? {
    guard wire != .line(.unnamed), wire != Self.wire(IndicatorSection()) else { return nil }
    guard let other = owners[wire] else {
      owners[wire] = owner
      return nil
    }
    return switch wire {
    case .line: "has the line of the \(other)"
    case .led: "has the LED of the \(other)"
    }
  }
}
