import API
import ArgumentParser
import Console

/// `platenctl shoot`.
struct ShootCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "shoot", abstract: "Press the shutter and wait for the outcome.",
    discussion: "Exits with 1 when a press was refused; the line says why.")

  @OptionGroup var connection: ConnectionOptions

  @Option(help: "How many pictures to take, one after the other, 1 to 10000.")
  var count = 1

  @Option(help: "What counts more: speed, balanced or quality; as the session is set by default.")
  var prioritization: String?

  @Flag(help: "Keep the quality also when presses come faster than they are stored.")
  var noFastCapture = false

  func validate() throws {
    let words = PressSettings.prioritizations
    if let prioritization, !words.contains(prioritization) {
      throw ValidationError(
        "--prioritization must be \(words.joined(separator: ", ")), not \"\(prioritization)\".")
    }
    try require(count, in: 1...10_000, "--count")
  }

  func run() async throws {
    let settings = PressSettings(
      prioritization: prioritization, fastCapture: noFastCapture ? false : nil)
    var areAllStored = true
    try await connection.report { client in
      guard count > 1 else {
        let press = try await connection.passingTime("taking a picture") {
          try await client.call(Operations.shoot, settings)
        }
        areAllStored = press.outcome == .stored
        return try connection.show(press, or: [press.line])
      }
      let progress = connection.counting("shooting", count, "pictures")
      defer { progress.end() }
      for number in 1...count {
        let press = try await client.call(Operations.shoot, settings)
        try connection.show(press, or: [press.line])
        areAllStored = areAllStored && press.outcome == .stored
        progress.advance(to: Int64(number))
      }
    }
    guard areAllStored else { throw ExitCode(1) }
  }
}
