import ArgumentParser
import TestSupport
import Testing

@testable import API
@testable import Console
@testable import Commands

/// The reference pages of the commands, the API and the metrics.
@Suite struct ReferencePageTests {
  @Test func `the page of the commands is current`() throws {
    let tree = try CommandTree.read(Platenctl._dumpHelp())
    let text = """
      # Commands of platenctl

      \(tree.shown.map { commands($0, path: ["platenctl"]) }.joined(separator: "\n\n"))
      """
    let difference = try ReferencePage.difference(of: "commands.md", text)
    #expect(difference == nil, "\(difference ?? "")")
  }

  private func commands(_ command: CommandTree, path: [String]) -> String {
    let path = path + [command.commandName]
    guard command.shown.isEmpty else {
      return command.shown.map { commands($0, path: path) }.joined(separator: "\n\n")
    }
    let arguments = (command.arguments ?? []).filter { argument in
      argument.shouldDisplay && argument.names?.contains { $0.name == "help" } != true
    }
    let rows = arguments.map { argument in
      let fallback = argument.defaultValue.map { " Default: `\($0)`." } ?? ""
      return ["`\(CommandHelp.usage(argument))`", argument.meaning + fallback]
    }
    let parts = [
      "## \(path.joined(separator: " "))", command.abstract ?? "", command.discussion ?? "",
      rows.isEmpty ? "" : ReferencePage.table(["argument", "meaning"], rows),
    ]
    return parts.filter { !$0.isEmpty }.joined(separator: "\n\n")
  }

  @Test func `the page of the API is current`() throws {
    let rows = try OpenAPIDocument().operations
      .sorted { ($0.path, $0.method) < ($1.path, $1.method) }
      .map { ["`\($0.method) \($0.path)`", $0.permission, $0.summary] }
    let text = """
      # Operations of the API

      HTTP and JSON over the Unix socket of the service, `/run/platen/platend.sock`. \
      [openapi.yaml](../../Sources/API/openapi.yaml) describes parameters, bodies and answers; \
      [conventions](api-conventions.md) has access, errors and events.

      \(ReferencePage.table(["operation", "permission", "meaning"], rows))
      """
    let difference = try ReferencePage.difference(of: "api.md", text)
    #expect(difference == nil, "\(difference ?? "")")
  }

  @Test func `the page of the metrics is current`() throws {
    let rows = RigMetric.all.map { metric in
      let labels = metric.labels.map { "`\($0)`" }.joined(separator: ", ")
      return ["`\(metric.name)`", metric.type, labels, metric.help]
    }
    let text = """
      # Metrics

      `GET /metrics` answers in the text format 0.0.4 of Prometheus, and `platenctl metrics` prints the same. \
      A figure that the rig does not know is absent.

      \(ReferencePage.table(["name", "type", "labels", "meaning"], rows))
      """
    let difference = try ReferencePage.difference(of: "metrics.md", text)
    #expect(difference == nil, "\(difference ?? "")")
  }
}
