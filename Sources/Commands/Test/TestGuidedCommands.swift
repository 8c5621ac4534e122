import API
import ArgumentParser
import Console
import Devices

/// `platenctl test button`.
struct TestButtonCommand: TestingCommand {
  static let configuration = CommandConfiguration(
    commandName: "button", abstract: "Press a button, and see its edges, bounce and gesture.",
    discussion: """
      Presses are refused as long as the test goes on, with the reason buttonTest, so that none \
      becomes a picture; nothing else that the button does is done either.
      """)

  @OptionGroup var connection: ConnectionOptions

  @Option(help: "The button's name; the first one by default.")
  var button: String?

  @Option(help: "How often it is to be pressed, 1 to 20.")
  var presses = 1

  @Option(help: "How long to wait for that, 1 to 120 s.")
  var timeout = 20

  func validate() throws {
    try require(presses, in: ButtonTestRequest.pressesRange, "--presses")
    try require(timeout, in: ButtonTestRequest.secondsRange, "--timeout")
  }

  var tests: [any PartTest] {
    [
      ButtonPartTest(ButtonTestRequest(button: button, seconds: timeout, presses: presses))
    ]
  }

  func run() async throws { try await test() }
}

/// `platenctl test leds`.
struct TestLightsCommand: TestingCommand {
  static let configuration = CommandConfiguration(
    commandName: "leds", abstract: "Light each light alone, and say whether it is seen.",
    discussion: """
      The light blinks quickly and evenly, which means nothing, and all others are dark; then all \
      lights are at once as they should be. With --json, or where nobody can be asked, --seen has to \
      say what is seen.
      """)

  @OptionGroup var connection: ConnectionOptions

  @Option(help: "The only light to test.")
  var light: IndicatorRole?

  @Option(help: "How long each light is lit, 1 to 60 s.")
  var timeout = 15

  @OptionGroup var seeing: SightOptions

  func validate() throws {
    try require(timeout, in: LightTestRequest.secondsRange, "--timeout")
  }

  var sight: TestGuide.Sight? { seeing.seen }

  var tests: [any PartTest] { [LightPartTest(role: light, seconds: timeout)] }

  func run() async throws { try await test() }
}

/// `platenctl test accelerometer`.
struct TestAccelerometerCommand: TestingCommand {
  static let configuration = CommandConfiguration(
    commandName: "accelerometer",
    abstract: "Measure gravity and noise, then turn the rig and see its positions change.")

  @OptionGroup var connection: ConnectionOptions

  @Flag(help: "Do not ask for the rig to be turned.")
  var still = false

  @Option(help: "How long to measure, 1 to 30 s.")
  var seconds = 3

  @Option(help: "How long to wait for each position, 1 to 120 s.")
  var timeout = 30

  func validate() throws {
    try require(seconds, in: AccelerometerTestRequest.secondsRange, "--seconds")
    try require(timeout, in: 1...120, "--timeout")
  }

  var tests: [any PartTest] {
    [
      AccelerometerPartTest(
        AccelerometerTestRequest(seconds: seconds), isStill: still, seconds: timeout)
    ]
  }

  func run() async throws { try await test() }
}
