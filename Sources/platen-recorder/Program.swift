import Devices
import Glibc
import Recorder
import RecorderProgram

/// The start of the program `platen-recorder`, which records a part of a movie for the service.
@main enum Program {
  static func main() {
    if CommandLine.arguments.dropFirst().first == RecorderLaunch.versionOption {
      puts(PlatenVersion.current)
      return
    }
    RecorderServer.serve()
  }
}
