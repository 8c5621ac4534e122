/// The error that a condition did not hold within five minutes.
package struct NeverHappened: Error, CustomStringConvertible {
  /// The place at which the test waits.
  package let description: String
}

/// Waits until a condition holds, checking it once a millisecond.
///
/// - Throws: ``NeverHappened`` after five minutes, a limit for hangs and not for speed, or an error
///   of the condition.
package func eventually(
  file: StaticString = #fileID, line: UInt = #line, _ condition: () async throws -> Bool
) async throws {
  let deadline = ContinuousClock.now.advanced(by: .seconds(300))
  while try await !condition() {
    guard ContinuousClock.now < deadline else {
      throw NeverHappened(description: "\(file):\(line) waited for five minutes")
    }
    try await Task.sleep(for: .milliseconds(1))
  }
}
