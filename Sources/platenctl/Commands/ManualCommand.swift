import ArgumentParser
import Console

/// `platenctl manual`.
struct ManualCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "manual", abstract: "Print the manual page platenctl(1); for packages.",
    shouldDisplay: false)

  func run() throws {
    let page = ManualPage(try CommandTree.read(Platenctl._dumpHelp()))
    var lines = page.text.split(separator: "\n", omittingEmptySubsequences: false)
    lines.removeLast()
    Terminal.show(lines.map(String.init))
  }
}
