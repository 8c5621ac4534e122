import API
import ArgumentParser
import Console
import Devices
import Foundation

/// `platenctl presses list`.
struct PressListCommand: AsyncParsableCommand, FollowingCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List presses of this and of earlier runs, the newest first.")

  @OptionGroup var connection: ConnectionOptions

  @Option(help: "How many presses to list at most, 1 to 1000.")
  var limit = 20

  @Option(help: "Only those with a smaller number.")
  var before: Int64?

  @Option(help: "Only those with a larger number.")
  var after: Int64?

  @Option(help: "Only those with this outcome.")
  var outcome: PressReport.Outcome?

  @Option(help: "Only those refused for this reason, for example thermalPressure.")
  var reason: String?

  @Option(help: "Only those with this gesture.")
  var gesture: Gesture?

  @Option(help: "Only those at or after this time, for example 2026-11-21T10:00:00Z.")
  var since: String?

  @Option(help: "Only those before this time.")
  var until: String?

  @Flag(help: "Then show a line for each press that ends, until interrupted.")
  var follow = false

  var follows: Bool { follow }

  func validate() throws {
    try require(limit, in: 1...ListLimit.maximum, "--limit")
    for (name, number) in [("before", before), ("after", after)] where (number ?? 0) < 0 {
      throw ValidationError("--\(name) must be a press's number.")
    }
    for (name, text) in [("since", since), ("until", until)] {
      if let text, PressFilter.date(text) == nil {
        throw ValidationError("--\(name) must be an ISO 8601 time, not \"\(text)\".")
      }
    }
  }

  func run() async throws {
    let filter = self.filter
    try await connection.report { client in
      guard follow else { return try await list(filter, client) }
      for try await item in client.events() {
        switch item {
        case .listening: try await list(filter, client)
        case .event(let event, _):
          guard case .press(let press) = event.payload, press.outcome != .pending,
            filter.matches(press)
          else { continue }
          try connection.show(press, or: [press.line] + press.advice)
        case .missed(let missed):
          var view = EventView(width: Terminal.width)
          try connection.show(missed, or: view.line(item).map { [$0] } ?? [])
        }
      }
    }
    guard follow else { return }
    try endAfterStream()
  }

  private var filter: PressFilter {
    var filter = PressFilter(limit: limit)
    filter.before = before
    filter.after = after
    filter.outcome = outcome
    filter.reason = reason
    filter.gesture = gesture
    filter.since = since.flatMap(PressFilter.date)
    filter.until = until.flatMap(PressFilter.date)
    return filter
  }

  private func list(_ filter: PressFilter, _ client: RigClient) async throws {
    let list = try await client.call(Operations.presses, filter)
    try connection.show(list, as: list.presses)
  }
}
