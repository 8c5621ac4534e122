import Foundation
import TestSupport

/// The size of the campaigns of `board/test session`, from the environment.
enum SessionCampaign {
  /// Returns the number in a variable, or the standard number without one.
  ///
  /// With `PLATEN_BRIEF_TESTS`, as under the sanitizers, the standard number is divided by five.
  static func number(_ variable: String, _ standard: Int) -> Int {
    ProcessInfo.processInfo.environment[variable].flatMap { Int($0) }
      ?? Repetitions.of(standard, brief: max(1, standard / 5))
  }
}
