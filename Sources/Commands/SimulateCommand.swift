import API
import ArgumentParser
import Console
import Devices

/// `platenctl simulate`.
struct SimulateCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "simulate", abstract: "Do something to the simulated world.",
    discussion: "Only a service on the simulated board takes these.",
    subcommands: [
      Press.self, Turn.self, Heat.self, Throttle.self, Page.self, Hand.self, Fault.self,
    ])

  /// `platenctl simulate press`.
  struct Press: SimulatingCommand {
    static let configuration = CommandConfiguration(abstract: "Press the button's line.")
    @OptionGroup var connection: ConnectionOptions
    @OptionGroup var confirmed: ConfirmationOptions
    @Option(help: "How long the button is held, in milliseconds, 1 to 60000.")
    var duration: Int?
    @Flag(help: "Let the contact bounce.")
    var bounce = false

    func run() async throws {
      try await connection.simulate(
        .press(durationMilliseconds: duration, bounce: bounce ? true : nil))
    }
  }

  /// `platenctl simulate turn`.
  struct Turn: SimulatingCommand {
    static let configuration = CommandConfiguration(abstract: "Turn the rig.")
    @OptionGroup var connection: ConnectionOptions
    @OptionGroup var confirmed: ConfirmationOptions
    @Argument(
      help: "Degrees clockwise as the operator sees it, or flat.", transform: Turn.position)
    var position: SimulationCommand.Position

    func run() async throws { try await connection.simulate(.turn(position)) }

    private static func position(_ text: String) throws -> SimulationCommand.Position {
      if text == "flat" { return .flat }
      guard let degrees = Double(text), (-360...360).contains(degrees) else {
        throw ValidationError("give degrees from -360 to 360, or flat.")
      }
      return .degrees(degrees)
    }
  }

  /// `platenctl simulate heat`.
  struct Heat: SimulatingCommand {
    static let configuration = CommandConfiguration(abstract: "Set the temperature.")
    @OptionGroup var connection: ConnectionOptions
    @OptionGroup var confirmed: ConfirmationOptions
    @Argument(help: "Degrees Celsius, -60 to 250.")
    var celsius: Double

    func run() async throws { try await connection.simulate(.heat(celsius: celsius)) }
  }

  /// `platenctl simulate throttle`.
  struct Throttle: SimulatingCommand {
    static let configuration = CommandConfiguration(
      abstract: "Set the firmware's throttle flags; none of them for all well.")
    @OptionGroup var connection: ConnectionOptions
    @OptionGroup var confirmed: ConfirmationOptions
    @Argument(help: "The flags that are set.")
    var flags: [ThrottleFlag] = []

    func run() async throws { try await connection.simulate(.throttle(flags)) }
  }

  /// `platenctl simulate page`.
  struct Page: SimulatingCommand {
    static let configuration = CommandConfiguration(abstract: "Lay a page under the camera.")
    @OptionGroup var connection: ConnectionOptions
    @OptionGroup var confirmed: ConfirmationOptions
    @Argument(help: "The page's number, 0 to 999999.")
    var number: Int

    func run() async throws { try await connection.simulate(.showPage(number)) }
  }

  /// `platenctl simulate hand`.
  struct Hand: SimulatingCommand {
    /// The place of the hand.
    enum Place: String, ExpressibleByArgument, CaseIterable {
      case on, off
    }

    static let configuration = CommandConfiguration(
      abstract: "Lay a hand on the page, or take it away.")
    @OptionGroup var connection: ConnectionOptions
    @OptionGroup var confirmed: ConfirmationOptions
    @Argument(help: "Whether the hand lies there.")
    var place: Place

    func run() async throws { try await connection.simulate(.showHand(place == .on)) }
  }

  /// `platenctl simulate fault`.
  struct Fault: SimulatingCommand {
    static let configuration = CommandConfiguration(
      abstract: "Make the camera fail, or end that.")
    @OptionGroup var connection: ConnectionOptions
    @OptionGroup var confirmed: ConfirmationOptions
    @Argument(help: "The fault, for example stalled; none ends it.")
    var fault: String

    func run() async throws { try await connection.simulate(.cameraFault(fault)) }
  }
}

/// A command that changes the simulated world.
protocol SimulatingCommand: ConfirmedCommand {}

extension SimulatingCommand {
  var confirmation: Confirmation? { Confirmation("This changes the simulated world", word: .rig) }
}

extension ConnectionOptions {
  /// Sends a command to the simulated world, and prints it as JSON where that is asked for.
  func simulate(_ command: SimulationCommand) async throws {
    try await report { client in
      _ = try await client.call(Operations.simulate, command)
      try show(command, or: [])
    }
  }
}
