/// The problem of a part that was tested.
package struct TestProblem: Sendable, Hashable, Codable {
  /// The code, as the doctor names it, for example `buttonHeldAtStart`.
  package let code: String
  /// The observation, a sentence without its end.
  package let seen: String
  /// The advice, one or two sentences.
  package let advice: String

  package init(code: String, seen: String, advice: String) {
    self.code = code
    self.seen = seen
    self.advice = advice
  }
}

/// The answer to `POST /v1/targets/retry`.
package struct TargetRetryReport: Sendable, Hashable, Codable {
  /// The targets whose waits are over.
  package let targets: [String]

  package init(targets: [String]) { self.targets = targets }
}

/// The answer to `POST /v1/targets/pause` and `POST /v1/targets/resume`.
package struct UploadPauseReport: Sendable, Hashable, Codable {
  /// Whether a technician holds the uploads back.
  package let arePaused: Bool

  package init(arePaused: Bool) { self.arePaused = arePaused }
}
