import API
import ArgumentParser

/// `platenctl board`.
struct BoardCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "board", abstract: "Look at the board that the rig is built on.",
    subcommands: [BoardCheckCommand.self])
}

/// `platenctl board check`.
struct BoardCheckCommand: AsyncParsableCommand {
  /// The doctor's parts that a wire leads to.
  static let parts: [DoctorPart] = [.buttons, .lights, .accelerometer, .lamp, .wiring]

  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Say what differs between the wires, the device tree and the configuration.",
    discussion: """
      Shows the doctor's findings on these parts: \
      \(parts.map(\.rawValue).joined(separator: ", ")). Exits with 1 when there is a fault.
      """)

  @OptionGroup var connection: ConnectionOptions

  @OptionGroup var examination: Examination

  func run() async throws {
    try await examination.show(Self.parts, over: connection)
  }
}
