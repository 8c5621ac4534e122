import Foundation

/// How much the campaigns of `board/test session` do, from the environment.
enum SessionCampaign {
  /// The number in a variable, or the standard one when there is none; a fifth of that when
  /// `PLATEN_BRIEF_TESTS` is set, as it is under the sanitizers.
  static func number(_ variable: String, _ standard: Int) -> Int {
    let environment = ProcessInfo.processInfo.environment
    let fallback = environment["PLATEN_BRIEF_TESTS"] == nil ? standard : max(1, standard / 5)
    return environment[variable].flatMap { Int($0) } ?? fallback
  }
}
