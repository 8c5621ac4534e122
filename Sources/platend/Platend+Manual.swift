import ArgumentParser
import Console
import Foundation

extension Platend {
  /// Prints the manual page platend(8).
  func printManual() throws {
    let page = ManualPage(
      try CommandTree.read(Self._dumpHelp()), section: 8,
      files: [
        .init(
          LocalService.configurationPath, "The configuration, unless --config names another file."),
        .init("/var/lib/platen", "The pictures, unless the configuration names another directory."),
        .init(
          RigClient.defaultSocketPath,
          "The socket of the API, unless the configuration names another file."),
      ])
    let text = page.lines.map { $0 + "\n" }.joined()
    FileHandle.standardOutput.write(Data(text.utf8))
  }
}
