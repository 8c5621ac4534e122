import ArgumentParser
import Dispatch
import Foundation

/// Where the program begins: the service, or the process that has its cameras.
///
/// Not an asynchronous `main`, because the camera process confines itself before there is a second
/// thread.
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
