import Foundation

/// How often a test repeats what it does with random data.
enum Repetitions {
  /// A tenth of the repetitions when `PLATEN_BRIEF_TESTS` is set, as it is under the sanitizers:
  /// those make everything some ten times slower, and look for something else than rare bytes.
  static func of(_ count: Int) -> Int {
    ProcessInfo.processInfo.environment["PLATEN_BRIEF_TESTS"] == nil ? count : max(1, count / 10)
  }
}
