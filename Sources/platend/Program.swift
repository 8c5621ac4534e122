import ArgumentParser
import Commands
import Foundation
import Service

/// The start of the program: the service, the process that has its cameras, or `platenctl`.
///
/// The `main` function is not asynchronous. The camera process is copied from the service, or confines
/// itself, before there is a second thread.
@main enum Program {
  static func main() {
    PlatenService.prepareProcess()
    let arguments = CommandLine.arguments
    if arguments.dropFirst().first == CameraProcess.subcommand {
      CameraProcess.serve(arguments: Array(arguments.dropFirst()))
    }
    let isCommand = isCommand(name: arguments.first ?? "")
    var service = isCommand ? nil : ServiceStart(arguments: arguments)
    if service != nil { service?.prepared = CameraProcess.prepare() }
    Task.detached { [service] in
      if isCommand { await CommandProgram.main(arguments) }
      if let service {
        do { try await service.run() } catch { Platend.exit(withError: error) }
        exit(0)
      }
      await Platend.main()
      exit(0)
    }
    // No task needs this thread. dispatchMain() would wait with no signal blocked.
    while true { pause() }
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
