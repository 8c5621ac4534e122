import Logging

extension Logger {
  /// A logger without output: the faults of these tests are intended.
  static var silent: Logger { Logger(label: "test") { _ in SwiftLogNoOpLogHandler() } }
}
