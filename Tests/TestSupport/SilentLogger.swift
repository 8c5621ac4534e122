package import Logging

extension Logger {
  /// A logger without output, for tests whose faults are intended.
  package static var silent: Logger { Logger(label: "test") { _ in SwiftLogNoOpLogHandler() } }
}
