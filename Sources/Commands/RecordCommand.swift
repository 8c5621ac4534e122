import API
import ArgumentParser
import Console

/// `platenctl record`.
struct RecordCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "record", abstract: "Record a movie, and look at the recording.",
    discussion: "Needs \"movie.enabled: true\" in the configuration, and the recorder's program.",
    subcommands: [
      RecordStatusCommand.self, RecordStartCommand.self, RecordPauseCommand.self,
      RecordResumeCommand.self, RecordStopCommand.self,
    ], defaultSubcommand: RecordStatusCommand.self)
}

/// `platenctl record status`.
struct RecordStatusCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "Show the recording and the outcome of the one before.")

  @OptionGroup var connection: ConnectionOptions

  func run() async throws {
    try await connection.showAnswer(to: Operations.movie)
  }
}

/// `platenctl record start`.
struct RecordStartCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "start", abstract: "Start a recording as the configuration says.")

  @OptionGroup var connection: ConnectionOptions

  func run() async throws {
    try await connection.showAnswer(to: Operations.startMovie, during: "starting the recorder")
  }
}

/// `platenctl record pause`.
struct RecordPauseCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pause", abstract: "Pause the recording; its part is stored.")

  @OptionGroup var connection: ConnectionOptions

  func run() async throws {
    try await connection.showAnswer(to: Operations.pauseMovie)
  }
}

/// `platenctl record resume`.
struct RecordResumeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "resume", abstract: "Let a paused recording go on in another part.")

  @OptionGroup var connection: ConnectionOptions

  func run() async throws {
    try await connection.showAnswer(to: Operations.resumeMovie)
  }
}

/// `platenctl record stop`.
struct RecordStopCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "stop", abstract: "End the recording and wait until it is stored.",
    discussion: "Exits with 1 when nothing was stored; the answer says why.")

  @OptionGroup var connection: ConnectionOptions

  func run() async throws {
    var isStored = false
    try await connection.report { client in
      let recording = try await connection.passingTime("storing the recording") {
        try await client.call(Operations.stopMovie)
      }
      isStored = recording.outcome.value == .stored
      try connection.show(recording)
    }
    guard isStored else { throw ExitCode(1) }
  }
}
