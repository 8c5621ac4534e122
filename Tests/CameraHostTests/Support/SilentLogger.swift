import Logging

extension Logger {
  /// Says nothing: the faults of these tests are wanted.
  static var silent: Logger { Logger(label: "test") { _ in SwiftLogNoOpLogHandler() } }
}
