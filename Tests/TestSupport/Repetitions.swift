import Foundation

/// The number of repetitions of a test with random data.
package enum Repetitions {
  /// Whether a part of the repetitions is enough, as under the sanitizers (`PLATEN_BRIEF_TESTS`).
  package static let isBrief = ProcessInfo.processInfo.environment["PLATEN_BRIEF_TESTS"] != nil

  /// Returns a count, or that of a brief run, or that of a run with `PLATEN_LONG_TESTS`.
  ///
  /// - Parameters:
  ///   - brief: the number where all is slower and no rare bytes are looked for; `nil` for a tenth.
  ///   - long: the number of `board/test --long`; `nil` for the same count.
  package static func of(_ count: Int, brief: Int? = nil, long: Int? = nil) -> Int {
    if isBrief { return brief ?? max(1, count / 10) }
    return ProcessInfo.processInfo.environment["PLATEN_LONG_TESTS"] != nil ? long ?? count : count
  }
}
