import API
import ArgumentParser
import Console

/// `platenctl session`.
struct SessionCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "session",
    abstract: "Look at the capture session, change what it is set to, stop and resume it.",
    subcommands: [
      SessionShowCommand.self, SessionCapabilitiesCommand.self, SessionConfigureCommand.self,
      SessionStopCommand.self, SessionResumeCommand.self, SessionSwitchCommand.self,
      SessionFocusCommand.self, SessionCalibrateCommand.self, SessionForgetCommand.self,
      SessionInterruptionsCommand.self,
    ])
}

/// `platenctl session show`.
struct SessionShowCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show what the session is set to and what came of it.")

  @OptionGroup var connection: ConnectionOptions

  func run() async throws {
    try await connection.showAnswer(to: Operations.session)
  }
}

/// `platenctl session capabilities`.
struct SessionCapabilitiesCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "capabilities", abstract: "Show what the camera in use can do.")

  @OptionGroup var connection: ConnectionOptions

  func run() async throws {
    try await connection.showAnswer(to: Operations.sessionCapabilities)
  }
}

/// `platenctl session stop`.
struct SessionStopCommand: ConfirmedCommand {
  static let configuration = CommandConfiguration(
    commandName: "stop", abstract: "Give the camera back; presses are refused until resume.")

  @OptionGroup var connection: ConnectionOptions

  @OptionGroup var confirmed: ConfirmationOptions

  var confirmation: Confirmation? {
    Confirmation(
      "This stops the session; presses are refused until \"session resume\"", word: .rig)
  }

  func run() async throws {
    try await connection.showAnswer(to: Operations.stopSession)
  }
}

/// `platenctl session resume`.
struct SessionResumeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "resume", abstract: "Take the camera again after stop.")

  @OptionGroup var connection: ConnectionOptions

  func run() async throws {
    try await connection.showAnswer(to: Operations.resumeSession, during: "taking the camera")
  }
}

/// `platenctl session switch`.
struct SessionSwitchCommand: ConfirmedCommand {
  static let configuration = CommandConfiguration(
    commandName: "switch", abstract: "Go on with the rig's next camera.")

  @OptionGroup var connection: ConnectionOptions

  @OptionGroup var confirmed: ConfirmationOptions

  var confirmation: Confirmation? {
    Confirmation(
      "This interrupts the session to take the next camera", word: .rig)
  }

  func run() async throws {
    try await connection.showAnswer(to: Operations.switchCamera, during: "taking the next camera")
  }
}

/// `platenctl session focus`.
struct SessionFocusCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "focus", abstract: "Focus once and keep the lens where it is then.")

  @OptionGroup var connection: ConnectionOptions

  func run() async throws {
    try await connection.showAnswer(to: Operations.focusCamera, FocusRequest(), during: "focusing")
  }
}

/// `platenctl session calibrate`.
struct SessionCalibrateCommand: ConfirmedCommand {
  static let configuration = CommandConfiguration(
    commandName: "calibrate",
    abstract: "Let the camera find exposure, white balance and focus, and lock them.",
    discussion: """
      Lay a page under the camera first. What is found is kept for the camera, also over restarts, \
      until "platenctl session forget". Takes up to 10 seconds, longer with slow frames.
      """)

  @OptionGroup var connection: ConnectionOptions

  @OptionGroup var confirmed: ConfirmationOptions

  var confirmation: Confirmation? { .newCalibration }

  func run() async throws {
    try await connection.showAnswer(to: Operations.calibrateCamera, during: "calibrating")
  }
}

/// `platenctl session forget`.
struct SessionForgetCommand: ConfirmedCommand {
  static let configuration = CommandConfiguration(
    commandName: "forget", abstract: "Forget the calibration and the scales of the camera in use.")

  @OptionGroup var connection: ConnectionOptions

  @OptionGroup var confirmed: ConfirmationOptions

  var confirmation: Confirmation? {
    Confirmation(
      "This forgets the calibration and the scales that are kept for the camera in use", word: .rig)
  }

  func run() async throws {
    try await connection.showAnswer(to: Operations.forgetCalibration)
  }
}

/// `platenctl session interruptions`.
struct SessionInterruptionsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "interruptions",
    abstract: "List what interrupts the session, then what has, the newest first.",
    discussion: "The times are seconds of CLOCK_MONOTONIC, as in the kernel's log.")

  @OptionGroup var connection: ConnectionOptions

  func run() async throws {
    try await connection.showAnswer(to: Operations.interruptions)
  }
}

extension Confirmation {
  /// The confirmation that a new calibration may replace the one kept for the camera.
  static let newCalibration = Confirmation(
    "This calibrates the camera in use and overwrites the calibration that is kept for it",
    word: .rig)
}
