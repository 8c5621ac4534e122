import API
import ArgumentParser
import Console

/// `platenctl spool export DIR`.
struct SpoolExportCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Copy all pictures that wait to a directory, each compared with its SHA-256.",
    discussion: """
      They stay in the spool. What is in the directory already is left alone. A picture that cannot \
      be copied is named, and the others are copied all the same.
      Exit status: 1 when one could not be copied.
      """)

  @OptionGroup var connection: ConnectionOptions

  @Argument(help: "The directory; it must exist.")
  var directory: String

  func run() async throws {
    try await connection.report { client in
      let waiting = try await client.status().spool
      let progress = ProgressReporter(
        "copying", total: waiting.bytesWaiting, unit: .bytes, on: Terminal.output)
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
          "\(result.copied) pictures copied, \(result.present) were there already"
            + (result.failed > 0 ? ", \(result.failed) could not be copied" : "")
        ])
      guard result.failed == 0 else { throw ExitCode(1) }
    }
  }
}
