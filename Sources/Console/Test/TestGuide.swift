/// A guide that leads the person before the rig through a test.
package struct TestGuide: Sendable {
  /// The observation that a person can report in advance.
  package enum Sight: String, Sendable, Hashable, CaseIterable {
    /// The person sees the expected sight.
    case yes
    /// The person does not see the expected sight.
    case no
  }

  private let output: any CommandOutput
  private let isSilent: Bool
  /// The observation reported in advance.
  package let seen: Sight?

  /// Creates a guide.
  ///
  /// - Parameters:
  ///   - isSilent: whether a program reads the output, so that no instructions or questions appear.
  ///   - seen: the answer to later questions.
  package init(_ output: any CommandOutput, isSilent: Bool, seen: Sight? = nil) {
    self.output = output
    self.isSilent = isSilent
    self.seen = seen
  }

  /// Shows an instruction or an announcement.
  package func say(_ text: String) {
    guard !isSilent else { return }
    output.show(PlainText.wrapping(PlainText.escaping(text), to: output.width))
  }

  /// Waits for work and shows the elapsed time to a person.
  ///
  /// - Parameters:
  ///   - label: the name of the work in a few words.
  ///   - seconds: the expected or maximum duration; `nil` if unknown.
  /// - Throws: the errors of the work.
  func wait<Value>(
    _ label: String, seconds: Int? = nil,
    for work: () async throws(RigClientError) -> Value
  ) async throws(RigClientError) -> Value {
    guard !isSilent else { return try await work() }
    return try await output.passingTime(label, limit: seconds.map { Duration.seconds($0) }, work)
  }

  /// Asks a question that only a person can answer.
  func ask(_ question: String, within limit: Duration) async -> CommandAnswer {
    isSilent ? .unanswered : await output.ask(question, within: limit)
  }
}
