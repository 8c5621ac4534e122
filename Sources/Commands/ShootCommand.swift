import API
import ArgumentParser
import Console
import Devices

/// `platenctl shoot`.
struct ShootCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "shoot", abstract: "Press the shutter and wait for the outcome.",
    discussion: "Exits with 1 when a press was refused; the line says why.")

  @OptionGroup var connection: ConnectionOptions

  @Option(help: "How many pictures to take, one after the other, 1 to 10000.")
  var count = 1

  @Option(
    name: .prioritization,
    help: "What counts more; as the session is set by default.")
  var prioritization: QualityPrioritization?

  @Option(help: "The lamp for the picture; as the session is set by default.")
  var flash: FlashMode?

  @Option(
    help:
      "Several pictures in one press, \(Bracket.forms): EV, milliseconds, lens positions or lamps.")
  var bracket: String?

  @Option(
    help: "Merge the bracket, add before its pictures; as configured by default.")
  var merge: BracketMerge?

  @Flag(help: "Store the camera's raw frame as a DNG file, too; needs camera.raw.")
  var raw = false

  @Flag(help: "Keep the quality also when presses come faster than they are stored.")
  var noFastCapture = false

  @Flag(help: "Replace the last picture when the new one is stored.")
  var retake = false

  func validate() throws {
    if let bracket {
      do throws(InvalidValue) {
        _ = try Bracket(bracket)
      } catch {
        throw ValidationError("--bracket: \(error)")
      }
    }
    if let merge {
      guard let bracket else { throw ValidationError("--merge needs --bracket.") }
      guard merge == .off || (try? Bracket(bracket))?.kind != .lamp else {
        throw ValidationError("A bracket of lamps cannot be merged; leave out --merge.")
      }
    }
    try require(count, in: 1...10_000, "--count")
    if retake, count > 1 { throw ValidationError("--retake takes one picture.") }
  }

  func run() async throws {
    let settings = PressSettings(
      prioritization: prioritization, fastCapture: noFastCapture ? false : nil,
      flash: flash,
      bracket: bracket.flatMap { try? Bracket($0) }, formats: raw ? [.jpeg, .dng] : nil,
      merge: merge, retake: retake ? true : nil)
    var areAllStored = true
    try await connection.report { client in
      guard count > 1 else {
        let press = try await shoot(settings, with: client)
        areAllStored = press.outcome == .stored
        return try connection.show(press, or: [press.line] + press.advice)
      }
      let progress = connection.counting("shooting", count, "pictures")
      defer { progress.end() }
      for number in 1...count {
        let press = try await client.call(Operations.shoot, settings)
        try connection.show(press, or: [press.line] + press.advice)
        areAllStored = areAllStored && press.outcome == .stored
        progress.advance(to: Int64(number))
      }
    }
    guard areAllStored else { throw ExitCode(1) }
  }

  /// Presses the shutter; shows how many files of several are stored.
  private func shoot(
    _ settings: PressSettings, with client: RigClient
  ) async throws -> PressReport {
    guard let none = PressProgress(of: settings) else {
      return try await connection.passingTime("taking a picture") {
        try await client.call(Operations.shoot, settings)
      }
    }
    let progress = connection.counting("storing", nil, "files")
    let watching = Task {
      var files = none
      for try await item in client.events() {
        guard case .event(let event, _) = item, case .progress(let report) = event.payload,
          let count = files.take(report)
        else { continue }
        progress.advance(to: Int64(count.stored), of: Int64(count.announced))
      }
    }
    defer {
      watching.cancel()
      progress.end()
    }
    return try await client.call(Operations.shoot, settings)
  }
}

extension NameSpecification {
  /// The option for the prioritization; the second name is that of the key.
  static let prioritization: NameSpecification = [
    .customLong("quality"), .customLong("prioritization"),
  ]
}
