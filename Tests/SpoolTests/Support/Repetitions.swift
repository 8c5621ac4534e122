import Foundation

/// The number of repetitions of a test with random data.
enum Repetitions {
  /// Returns a count, or that of a run with `PLATEN_BRIEF_TESTS` or `PLATEN_LONG_TESTS`.
  ///
  /// - Parameters:
  ///   - brief: the number where all is slower and no rare bytes are looked for; `nil` for a tenth.
  ///   - long: the number of `board/test --long`; `nil` for the same count.
  static func of(_ count: Int, brief: Int? = nil, long: Int? = nil) -> Int {
    let environment = ProcessInfo.processInfo.environment
    if environment["PLATEN_BRIEF_TESTS"] != nil { return brief ?? max(1, count / 10) }
    return environment["PLATEN_LONG_TESTS"] != nil ? long ?? count : count
  }
}
