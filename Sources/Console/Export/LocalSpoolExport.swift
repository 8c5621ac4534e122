public import API

/// Copies pictures out of a spool with the service's own program, while no service runs.
public struct LocalSpoolExport: Sendable {
  private let service: LocalService
  private let configuration: String

  /// Makes an export; nothing is started yet.
  ///
  /// - Parameters:
  ///   - service: the program, which may take as long as it needs for this.
  ///   - configuration: the path of the file that names the spool.
  public init(_ service: LocalService, configuration: String) {
    self.service = service
    self.configuration = configuration
  }

  /// Copies all pictures that lie in the spool to a directory.
  ///
  /// - Parameters:
  ///   - directory: an existing directory.
  ///   - note: called for each picture when it is known what became of it.
  /// - Returns: how many came to what.
  /// - Throws: ``API/APIError`` when the configuration or a directory cannot be used,
  ///   ``LocalService/Failure`` when the program cannot be run to its end, `CancellationError`, and
  ///   what `note` throws.
  public func copyAll(
    to directory: String, note: (SpoolCopyReport) throws -> Void
  ) async throws -> SpoolCopySummary {
    let run: FollowedProgram
    do {
      // With the equals sign a name that begins with a hyphen is no option.
      run = try FollowedProgram(
        service.program, ["--export=\(directory)", "--config", configuration])
    } catch {
      throw LocalService.Failure(description: error.description)
    }
    defer { run.end() }
    while let line = await run.next() {
      if let report = try? APICoding.decode(SpoolCopyReport.self, from: line.utf8) {
        try note(report)
      } else if let summary = try? APICoding.decode(SpoolCopySummary.self, from: line.utf8) {
        return summary
      } else if let envelope = try? APICoding.decode(ErrorEnvelope.self, from: line.utf8) {
        throw envelope.error
      }
    }
    try Task.checkCancellation()
    throw LocalService.Failure(
      description: "\"\(service.program)\" has ended before it had copied all pictures.")
  }
}
