import ArgumentParser
import Console

/// `platenctl watch`.
struct WatchCommand: AsyncParsableCommand, FollowingCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch", abstract: "Show what changes, until interrupted.",
    discussion: """
      Begins with the rig's status; then comes one line for each change. With --json only the \
      changes are printed, and a line {"count":N} for changes that were missed.
      """)

  @OptionGroup var connection: ConnectionOptions

  var follows: Bool { true }

  func run() async throws {
    var view = EventView(width: Terminal.width)
    try await connection.report { client in
      for try await item in client.events() {
        switch item {
        case .listening:
          guard !connection.json else { continue }
          Terminal.show(try await client.status())
        case .event(let event, _):
          try connection.show(event, or: view.lines(item))
        case .missed(let missed):
          try connection.show(missed, or: view.line(item).map { [$0] } ?? [])
        }
      }
    }
    try endAfterStream()
  }
}
