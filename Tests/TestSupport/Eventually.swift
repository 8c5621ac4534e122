/// A condition that a test waits for did not come to hold for five minutes.
public struct NeverHappened: Error, CustomStringConvertible {
  /// Where the test waits.
  public let description: String
}

/// Waits until a condition holds, looking once a millisecond.
///
/// - Throws: ``NeverHappened`` after five minutes, which is for what hangs and no measure of speed,
///   and what the condition throws.
public func eventually(
  file: StaticString = #fileID, line: UInt = #line, _ condition: () async throws -> Bool
) async throws {
  let patience = ContinuousClock.now.advanced(by: .seconds(300))
  while try await !condition() {
    guard ContinuousClock.now < patience else {
      throw NeverHappened(description: "\(file):\(line) waited for five minutes")
    }
    try await Task.sleep(for: .milliseconds(1))
  }
}
