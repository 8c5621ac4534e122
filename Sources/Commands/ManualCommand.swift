import ArgumentParser
import Console

/// `platenctl manual`.
struct ManualCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "manual", abstract: "Print the manual page platenctl(1); for packages.",
    shouldDisplay: false)

  func run() throws {
    Terminal.show(
      ManualPage(
        try CommandTree.read(Platenctl._dumpHelp()), section: 1,
        environment: [
          .init("PLATEN_SOCKET", "The service's socket, unless --socket names it."),
          .init(
            "TERM",
            "The terminal; without one that is known the console sends no escape sequences."),
          .init(
            "XDG_STATE_HOME",
            "The folder for the history of the console, platen/console-history, unless it is relative."
          ),
        ],
        files: [
          .init(RigClient.defaultSocketPath, "The service's socket."),
          .init(
            "~/.local/state/platen/console-history",
            "The lines that were run in the console, unless XDG_STATE_HOME names another folder."),
        ]
      ).lines)
  }
}
