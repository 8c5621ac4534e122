/// Leads the person who stands before the rig through a test.
public struct TestGuide: Sendable {
  /// What a person can say without being asked.
  public enum Sight: String, Sendable, Hashable, CaseIterable {
    /// What should be seen is seen.
    case yes
    /// It is not.
    case no
  }

  private let output: any CommandOutput
  private let isSilent: Bool
  /// What is seen, when that was said beforehand.
  public let seen: Sight?

  /// Makes a guide.
  ///
  /// - Parameters:
  ///   - isSilent: whether a program reads, which is led nowhere and asked nothing.
  ///   - seen: the answer to what would be asked.
  public init(_ output: any CommandOutput, isSilent: Bool, seen: Sight? = nil) {
    self.output = output
    self.isSilent = isSilent
    self.seen = seen
  }

  /// Says what is to be done now, or what happens.
  public func say(_ text: String) {
    guard !isSilent else { return }
    output.show(PlainText.wrapping(PlainText.escaping(text), to: output.width))
  }

  /// Waits for something; shows a person for how long that has gone on.
  ///
  /// - Parameters:
  ///   - label: what is waited for, in a few words.
  ///   - seconds: how long it takes or may take at most; `nil` when nobody knows.
  /// - Throws: what is waited for throws.
  func wait<Value>(
    _ label: String, seconds: Int? = nil,
    for work: () async throws(RigClientError) -> Value
  ) async throws(RigClientError) -> Value {
    guard !isSilent else { return try await work() }
    return try await output.passingTime(label, limit: seconds.map { Duration.seconds($0) }, work)
  }

  /// Asks what only a person can know.
  func ask(_ question: String, within limit: Duration) async -> CommandAnswer {
    isSilent ? .nobody : await output.ask(question, within: limit)
  }
}
