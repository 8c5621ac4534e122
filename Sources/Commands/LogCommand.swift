import API
import ArgumentParser
import Console
import Devices
import Logging

/// `platenctl log`.
struct LogCommand: AsyncParsableCommand, FollowingCommand {
  static let configuration = CommandConfiguration(
    commandName: "log", abstract: "Show the newest lines of the service's log, the oldest first.",
    discussion: """
      The service keeps its last \(LogFilter.maximumLimit) lines, at most \
      \(LogFilter.maximumBytes >> 20) MiB. All that was ever logged is in the journal, which is \
      shown with --journal, and where the service does not answer: also what systemd says of it, and \
      lines of earlier runs. Of the journal the newest 5000 lines are searched. With --json lines \
      that were missed are a line {"count":N}.
      """)

  @OptionGroup var connection: ConnectionOptions

  @Option(help: "How many lines to show at most, 1 to \(LogFilter.maximumLimit).")
  var limit = 20

  @Option(help: "Only lines as severe as this, or more.")
  var level: Logger.Level?

  @Option(help: "Only lines of this part of the service, for example platend.")
  var label: String?

  @Flag(help: "Then show each line that comes, until interrupted.")
  var follow = false

  @Flag(help: "Show the journal, also while the service runs.")
  var journal = false

  var follows: Bool { follow }

  func validate() throws {
    try require(limit, in: 1...LogFilter.maximumLimit, "--limit")
    if let label, !(1...128).contains(label.count) {
      throw ValidationError("--label must have 1 to 128 characters.")
    }
  }

  func run() async throws {
    let filter = self.filter
    guard !journal else { return try await showJournal(filter) }
    var isStreamOver = false
    try await connection.report { client in
      let isStreamed = try await connection.look("this is the journal", over: client) { limited in
        if follow { _ = try await limited.status() } else { _ = try await list(filter, limited) }
        return follow
      } otherwise: {
        try await showJournal(filter)
        return false
      }
      // A stream may be silent for longer than a look waits for a service that hangs. A broken
      // stream is not followed by the journal, which would begin with lines that have been shown.
      guard isStreamed else { return }
      try await showStream(filter, client)
      isStreamOver = true
    }
    guard isStreamOver else { return }
    try endAfterStream()
  }

  private var filter: LogFilter {
    var filter = LogFilter(limit: limit)
    filter.level = level
    filter.label = label
    return filter
  }

  private func showStream(_ filter: LogFilter, _ client: RigClient) async throws {
    var newest: UInt64 = 0
    for try await item in client.logEvents(filter) {
      switch item {
      case .listening: newest = try await list(filter, client)
      // A line that came while the list was fetched is in both.
      case .event(let entry, _) where entry.id > newest: try show(entry)
      case .event: continue
      case .missed(let missed): try connection.show(missed, or: [missed.logNotice])
      }
    }
  }

  private func showJournal(_ filter: LogFilter) async throws {
    do {
      try await ServiceJournal().read(
        filter, follows: follow, complain: { Terminal.complain($0) }, show: show,
        untilShown: { await Terminal.output.untilShown() })
    } catch let failure as LocalProgram.Failure {
      Terminal.complain(failure.description, code: "unreachable")
      throw ExitCode(69)
    }
  }

  /// Shows the newest lines, and returns the number of the newest one.
  private func list(_ filter: LogFilter, _ client: RigClient) async throws -> UInt64 {
    let entries = try await client.call(Operations.log, filter).entries
    for (index, entry) in entries.reversed().enumerated() {
      // The wait keeps the list complete on a slow terminal line, where output may be dropped.
      if index % 500 == 499 { await Terminal.output.untilShown() }
      try show(entry)
    }
    return entries.first?.id ?? 0
  }

  private func show(_ entry: LogEntry) throws { try connection.show(entry) }
}
