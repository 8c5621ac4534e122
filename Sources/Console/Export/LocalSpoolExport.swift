package import API
import Devices

/// An export of pictures from a spool by the service's own program, while no service runs.
package struct LocalSpoolExport: Sendable {
  private let service: LocalService
  private let configuration: String

  /// Creates an export without starting the program.
  ///
  /// - Parameters:
  ///   - service: the program, which has no time limit here.
  ///   - configuration: the path of the configuration file that names the spool.
  package init(_ service: LocalService, configuration: String) {
    self.service = service
    self.configuration = configuration
  }

  /// Copies all pictures in the spool to a directory.
  ///
  /// - Parameters:
  ///   - directory: an existing directory.
  ///   - note: a function called with the result for each picture.
  /// - Returns: the number of pictures for each result.
  /// - Throws: ``API/APIError`` when the configuration or a directory cannot be used, or
  ///   ``Devices/LocalProgram/Failure`` when the program cannot be run to its end.
  ///   `CancellationError` and the errors of `note` are also thrown.
  package func copyAll(
    to directory: String, note: (SpoolCopyReport) throws -> Void
  ) async throws -> SpoolCopySummary {
    // The equals sign keeps a name with a leading hyphen from being taken for an option.
    let program = LocalProgram(
      service.program, ["--export=\(directory)", "--config", configuration], timeout: nil)
    for try await line in program.lines() {
      if let report = try? APICoding.decode(SpoolCopyReport.self, from: line.utf8) {
        try note(report)
      } else if let summary = try? APICoding.decode(SpoolCopySummary.self, from: line.utf8) {
        return summary
      } else if let envelope = try? APICoding.decode(ErrorEnvelope.self, from: line.utf8) {
        throw envelope.error
      }
    }
    try Task.checkCancellation()
    throw LocalProgram.Failure(
      description: "\"\(service.program)\" has ended before it had copied all pictures.")
  }
}
