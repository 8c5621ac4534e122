import Console

/// The progress of long work, which is shown to people and never to a program.
extension ConnectionOptions {
  var progressOutput: any CommandOutput {
    json ? SilentOutput(width: Terminal.width) : Terminal.output
  }

  /// Does work, and shows on a terminal how long the work has gone on.
  ///
  /// - Parameter label: the activity in a few words.
  /// - Throws: the error of the work.
  func passingTime<Value, Failure: Error>(
    _ label: String, _ work: () async throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    try await progressOutput.passingTime(label, work)
  }

  /// Returns a reporter that counts finished things on a terminal, once a second at most.
  ///
  /// - Parameters:
  ///   - label: the activity in a few words.
  ///   - total: the number of things; `nil` as long as it is unknown.
  ///   - word: the word for the things.
  func counting(_ label: String, _ total: Int?, _ word: String) -> ProgressReporter {
    let output = progressOutput
    return ProgressReporter(
      label, total: total.map { Int64($0) }, unit: .items(word),
      on: output.isWatched ? output : SilentOutput(width: output.width), pace: .seconds(1))
  }
}
