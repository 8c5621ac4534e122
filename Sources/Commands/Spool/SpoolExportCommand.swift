import API
import ArgumentParser
import Console
import Devices

/// `platenctl spool export DIR`.
struct SpoolExportCommand: AsyncParsableCommand, ManneredCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Copy all pictures that wait to a directory, each compared with its SHA-256.",
    discussion: """
      They stay in the spool. What is in the directory already is left alone. A picture that cannot \
      be copied is named, and the others are copied all the same.

      Where the service does not answer, as on a disk that fails, all pictures in the spool's \
      directory are copied, each with its sidecar. This account must be allowed to read them. \
      Which of them were delivered already cannot be known then.

      Exit status: 1 when one could not be copied, or its sidecar is there and cannot be used.
      """)

  @OptionGroup var connection: ConnectionOptions

  @Argument(help: "The directory; it must exist.")
  var directory: String

  @Option(help: "The configuration file, for an export without the service.")
  var config = LocalService.configurationPath

  /// The manner without paging, because the progress must not wait for a key.
  var manner: CommandManner { .reports }

  func run() async throws {
    var failed = 0
    try await connection.report { client in
      failed = try await connection.look("copying its files", over: client) { limited in
        // The question is only whether the service answers; a picture may take longer.
        let waiting = try await limited.status().spool
        return try await copy(waiting.bytesWaiting, from: client)
      } otherwise: {
        try await copyFiles()
      }
    }
    guard failed == 0 else { throw ExitCode(1) }
  }

  /// Copies the pictures that wait.
  ///
  /// - Returns: the number of pictures that could not be copied.
  private func copy(_ bytes: Int64, from client: RigClient) async throws -> Int {
    let progress = ProgressReporter(
      "copying", total: bytes, unit: .bytes, on: connection.progressOutput)
    defer { progress.end() }
    let result: SpoolExport.Summary
    do {
      result = try await SpoolExport(client, to: directory).copyAll {
        progress.advance(to: $0)
      } complain: {
        Terminal.complain($0.description)
      }
    } catch let failure as SpoolExport.Failure {
      Terminal.complain(failure.description)
      throw ExitCode(1)
    }
    progress.end()
    try connection.show(
      ["copied": result.copied, "present": result.present, "failed": result.failed],
      or: [
        "\(result.copied.counted("picture")) copied, "
          + "\(result.present.counted("was there", "were there")) already"
          + (result.failed > 0 ? ", \(result.failed) could not be copied" : "")
      ])
    return result.failed
  }

  /// Copies the pictures that lie in the spool's directory.
  ///
  /// - Returns: the number of pictures that could not be copied, or have an unusable sidecar.
  private func copyFiles() async throws -> Int {
    do {
      let export = LocalSpoolExport(try LocalService(), configuration: config)
      let summary = try await export.copyAll(to: directory) { report in
        if let problem = report.problem { Terminal.complain("\(report.picture): \(problem).") }
        if connection.json || report.outcome != .failed {
          try connection.show(report)
        }
      }
      try connection.show(summary)
      return summary.problems
    } catch let failure as LocalProgram.Failure {
      Terminal.complain(failure.description, code: "unreachable")
      throw ExitCode(69)
    } catch let error as APIError {
      Terminal.complain(error.message, code: error.code.rawValue)
      throw ExitCode(1)
    }
  }
}
