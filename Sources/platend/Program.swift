import ArgumentParser
import Commands
import Dispatch
import Foundation

/// The start of the program: the service, the process that has its cameras, or `platenctl`.
///
/// The `main` function is not asynchronous, because the camera process confines itself before there
/// is a second thread.
@main enum Program {
  static func main() {
    let arguments = CommandLine.arguments
    if arguments.dropFirst().first == CameraHostCommand.name {
      CameraHostCommand.main(Array(arguments.dropFirst(2)))
    }
    Task {
      if isCommand(name: arguments.first ?? "") { await CommandProgram.main(arguments) }
      await Platend.main()
      exit(0)
    }
    dispatchMain()
  }

  /// Returns whether the program was started under a name of `platenctl`.
  ///
  /// A package has links to this program under these names; a login shell's name begins with a
  /// hyphen.
  private static func isCommand(name: String) -> Bool {
    let base = name.split(separator: "/").last.map(String.init) ?? name
    return ["platenctl", "platen-"].contains { base.drop { $0 == "-" }.hasPrefix($0) }
  }
}
