import Console

/// What is shown of something that takes a while: to people, never to a program.
extension ConnectionOptions {
  /// Where progress is shown.
  var progressOutput: any CommandOutput {
    json ? SilentOutput(width: Terminal.width) : Terminal.output
  }

  /// Does something, and shows on a terminal for how long it has gone on.
  ///
  /// - Parameter label: what is being done, in a few words.
  /// - Throws: what the work throws.
  func passingTime<Value, Failure: Error>(
    _ label: String, _ work: () async throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    try await progressOutput.passingTime(label, work)
  }

  /// Shows on a terminal how many things are done, once a second at most.
  ///
  /// - Parameters:
  ///   - label: what is being done, in a few words.
  ///   - total: how many there are.
  ///   - word: the word for them.
  func counting(_ label: String, _ total: Int, _ word: String) -> ProgressReporter {
    let output = progressOutput
    return ProgressReporter(
      label, total: Int64(total), unit: .items(word),
      on: output.isWatched ? output : SilentOutput(width: output.width), pace: .seconds(1))
  }
}
