import API
import ArgumentParser
import Console

/// `platenctl audit`.
struct AuditCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "audit", abstract: "Show who has done what over the API, the newest first.",
    discussion: """
      An act is two entries: began, which was on stable storage before anything was done, and ended. \
      A time with a question mark is of a clock that was not synchronized. Looking at this log is \
      entered, too. Where the service does not run, its file is read, if its permissions allow.
      """)

  @OptionGroup var connection: ConnectionOptions

  @Option(help: "How many entries to show at most, 1 to 1000.")
  var limit = 20

  @Option(help: "The configuration file, for a look without the service.")
  var config = LocalService.configurationPath

  func validate() throws {
    try require(limit, in: 1...ListLimit.maximum, "--limit")
  }

  func run() async throws {
    let list: AuditEntryList = try await connection.look(
      "reading its file", ["--look", "audit", "--config", config]
    ) { client in
      try await client.call(Operations.audit, ListLimit(limit))
    }
    let entries = Array(list.entries.prefix(limit))
    try connection.show(AuditEntryList(entries: entries), as: entries)
  }
}
