import ArgumentParser
import Dispatch
import Foundation

/// The start of the program: the service, or the process that has its cameras.
///
/// The `main` function is not asynchronous, because the camera process confines itself before there
/// is a second thread.
@main enum Program {
  static func main() {
    let arguments = Array(CommandLine.arguments.dropFirst())
    if arguments.first == CameraHostCommand.name {
      CameraHostCommand.main(Array(arguments.dropFirst()))
    }
    Task {
      await Platend.main()
      exit(0)
    }
    dispatchMain()
  }
}
