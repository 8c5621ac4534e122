import API
import ArgumentParser
import Console

/// `platenctl identify`.
struct IdentifyCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "identify",
    abstract: "Make all lights of the rig blink, to find it among others.",
    discussion: "Presses are taken meanwhile. An interrupt ends the blinking early.")

  @OptionGroup var connection: ConnectionOptions

  @Option(help: "The time that the lights blink, in seconds, 1 to 60.")
  var seconds = IdentificationRequest.standardSeconds

  func validate() throws {
    try require(seconds, in: IdentificationRequest.secondsRange, "--seconds")
  }

  func run() async throws {
    try await connection.report { client in
      let report = try await client.call(
        Operations.identify, IdentificationRequest(seconds: seconds))
      try connection.show(
        report, or: ["the lights blinked: \(report.lights.joined(separator: ", "))"])
    }
  }
}
