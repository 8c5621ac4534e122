import Devices

/// One light: the sections `ready`, `fault` and `upload` of `indicators`.
///
/// | key | value | default |
/// |---|---|---|
/// | `led` | the kernel LED's name, for example `rig:green:ready` | required, unless there is a line |
/// | `line` | the GPIO line's name | — |
/// | `chip`, `offset` | the GPIO chip's label and the line's offset, 0...65535 | — |
/// | `active_low` | whether the light shines when the line is low; only for lines | `false` |
public enum IndicatorConfiguration: Sendable, Hashable {
  /// A kernel LED by its name.
  case led(String)
  /// A GPIO line.
  case line(GPIOLineConfiguration, isActiveLow: Bool)

  init?(reading mapping: ConfigurationMapping) {
    let led = mapping.read("led", as: .text("a kernel LED's name"))
    let line = GPIOLineConfiguration(reading: mapping)
    let isActiveLow = mapping.read("active_low", as: .flag, default: false)
    if mapping.contains("led") {
      if GPIOLineConfiguration.isPresent(in: mapping) {
        mapping.report("led", "expected either \"led\" or a line, found both")
      } else if mapping.contains("active_low") {
        mapping.report("active_low", "expected it only beside a line, found it beside \"led\"")
      }
    } else if !GPIOLineConfiguration.isPresent(in: mapping) {
      mapping.report("expected \"led\", \"line\", or \"chip\" and \"offset\", found none of them")
    }
    if let led {
      self = .led(led)
    } else if let line {
      self = .line(line, isActiveLow: isActiveLow)
    } else {
      return nil
    }
  }

  /// Reads the section `indicators`, whose keys are the roles.
  static func readAll(_ mapping: ConfigurationMapping) -> [IndicatorRole: IndicatorConfiguration] {
    var indicators: [IndicatorRole: IndicatorConfiguration] = [:]
    for role in IndicatorRole.allCases {
      indicators[role] = mapping.readSection(role.rawValue) { IndicatorConfiguration(reading: $0) }
    }
    return indicators
  }
}
