import ArgumentParser
import Console
import Devices

/// `platenctl camera`.
struct CameraCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "camera", abstract: "Make the service fit this machine's camera library.",
    subcommands: [CameraBuildCommand.self])
}

/// `platenctl camera build`.
struct CameraBuildCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "build",
    abstract: "Compile the camera object for the libcamera that is installed.",
    discussion: """
      The package has camera objects for the libcamera of the Debian that it was made for, and \
      for 0.4 and 0.7. For another release this command compiles one from the package's sources, \
      in one to five minutes. It needs root, the packages g++, pkgconf and libcamera-dev, and no \
      service. The service loads the object at the next search for the camera.
      """)

  /// The script of the package, which the sources lie beside.
  private static let script = "/usr/share/platen/camera/build-object"

  @OptionGroup var form: FormOptions

  private struct Report: Encodable {
    let object: String
  }

  func run() async throws {
    let outcome: LocalProgram.Outcome
    do throws(LocalProgram.Failure) {
      outcome = try await LocalProgram(Self.script, [], timeout: .seconds(1200)).run()
    } catch {
      Terminal.complain(error.description)
      throw ExitCode(1)
    }
    guard outcome.status == 0, !outcome.isCutOff else {
      let complaint = outcome.complaint.split(separator: "\n").suffix(8).joined(separator: "\n")
      Terminal.complain(outcome.isCutOff ? "The compilation was cut off." : complaint)
      throw ExitCode(1)
    }
    let object = String(decoding: outcome.output.prefix { $0 != 10 }, as: UTF8.self)
    guard form.json else { return Terminal.show(["The camera object is \"\(object)\"."]) }
    try Terminal.show(json: [Report(object: object)])
  }
}
