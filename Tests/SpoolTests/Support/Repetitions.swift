import Foundation

/// The number of repetitions of a test with random data.
enum Repetitions {
  /// Returns a count, or a tenth of it when `PLATEN_BRIEF_TESTS` is set.
  ///
  /// The variable is set under the sanitizers. They make everything some ten times slower, and do
  /// not look for rare bytes.
  static func of(_ count: Int) -> Int {
    ProcessInfo.processInfo.environment["PLATEN_BRIEF_TESTS"] == nil ? count : max(1, count / 10)
  }
}
