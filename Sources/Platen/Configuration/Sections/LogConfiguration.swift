public import Logging

/// What is logged: the section `log`.
///
/// | key | value | default |
/// |---|---|---|
/// | `level` | `trace`, `debug`, `info`, `notice`, `warning`, `error` or `critical` | `info` |
public struct LogConfiguration: Sendable, Hashable {
  /// The least important level that is logged.
  public var level: Logger.Level

  init(reading mapping: ConfigurationMapping) {
    level = mapping.read("level", as: .choice(Logger.Level.allCases), default: .info)
  }
}
