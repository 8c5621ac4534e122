import API
import ArgumentParser
import Console
import Devices
import Foundation

/// `platenctl session configure`.
struct SessionConfigureCommand: ConfirmedCommand {
  static let configuration = CommandConfiguration(
    commandName: "configure",
    abstract: "Change what the session is set to, all at once or not at all.",
    discussion: """
      What is left out stays as it is; "own" leaves it to the camera. Exits with 1 when the change \
      was not made; the message says whether the session runs on as before. --camera, --preset and \
      --frame-rate interrupt the session and have to be confirmed.
      """)

  @OptionGroup var connection: ConnectionOptions

  @Option(help: "The role of the camera to use.")
  var camera: String?

  @Option(help: "document, 1080p, full, or a size such as 2028x1520.")
  var preset: String?

  @Option(help: "Frames a second, or own.")
  var frameRate: String?

  @Option(help: "The factor by which the field of view is narrowed, 1 to 100.")
  var zoom: Double?

  @Option(help: "own, auto, locked, or MICROSECONDS,GAIN.")
  var exposure: String?

  @Option(help: "own, auto, locked, or the gains RED,BLUE.")
  var whiteBalance: String?

  @Option(help: "own, continuous, auto (once), locked, or diopters.")
  var focus: String?

  @Option(help: "The mains frequency, 50 or 60, or off.")
  var flicker: String?

  @Option(
    help: """
      NAME=NUMBER or NAME=own for a control of the image, several times for several: \
      \(SessionConfigureCommand.imageControls).
      """)
  var image: [String] = []

  @Option(name: .prioritization, help: "What counts more in pictures.")
  var prioritization: QualityPrioritization?

  @Option(help: "The lamp for pictures.")
  var flash: FlashMode?

  @Flag(inversion: .prefixedNo, help: "Lower quality before presses have to be refused.")
  var fastCapture: Bool?

  @OptionGroup var confirmed: ConfirmationOptions

  /// The controls of the image with their ranges, for the help.
  private static let imageControls = ImageControl.allCases.map {
    "\($0.rawValue) (\(figure($0.range.lowerBound)) to \(figure($0.range.upperBound)))"
  }.joined(separator: ", ")

  var confirmation: Confirmation? {
    guard camera != nil || preset != nil || frameRate != nil else { return nil }
    return Confirmation(
      "This interrupts the session to start the camera with another stream", word: .rig)
  }

  func validate() throws {
    guard try !change().isEmpty else {
      throw ValidationError("Name at least one thing to change.")
    }
  }

  func run() async throws {
    try await connection.showAnswer(
      to: Operations.configureSession, change(), during: "configuring")
  }

  /// Returns the requested change, judged as the service judges it.
  private func change() throws -> SessionChange {
    var object: [String: Any] = [:]
    object["camera"] = camera
    if let preset {
      let sides = preset.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
      if sides.count == 2, let width = sides[0], let height = sides[1] {
        object["width"] = width
        object["height"] = height
      } else {
        object["preset"] = preset
      }
    }
    object["frameRate"] = frameRate.map { Double($0) ?? $0 as Any }
    object["zoom"] = zoom
    object["exposure"] = exposure.map { pair($0, "durationMicroseconds", "gain") }
    object["whiteBalance"] = whiteBalance.map { pair($0, "red", "blue") }
    object["focus"] = focus.map { text in Double(text).map { ["diopters": $0] } ?? text as Any }
    object["flicker"] = flicker.map { Int($0) ?? $0 as Any }
    if !image.isEmpty { object["image"] = try imageObject() }
    object["prioritization"] = prioritization?.rawValue
    object["fastCapture"] = fastCapture
    object["flash"] = flash?.rawValue
    guard JSONSerialization.isValidJSONObject(object) else {
      throw ValidationError("A number must be finite.")
    }
    do {
      return try APICoding.decode(
        SessionChange.self, from: JSONSerialization.data(withJSONObject: object))
    } catch let error as APIError {
      throw ValidationError(error.message)
    }
  }

  /// Returns the values of the controls of the image by their names.
  private func imageObject() throws -> [String: Any] {
    var object: [String: Any] = [:]
    for text in image {
      let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2 else {
        throw ValidationError("--image takes NAME=NUMBER or NAME=own, not \"\(text)\".")
      }
      let (name, value) = (String(parts[0]), String(parts[1]))
      guard object[name] == nil else {
        throw ValidationError("--image has \"\(name)\" twice.")
      }
      object[name] = Double(value) ?? value as Any
    }
    return object
  }

  private static func figure(_ number: Double) -> String {
    number == number.rounded() ? String(Int(number)) : String(number)
  }

  /// Returns an object for two numbers with a comma between them, else the text itself.
  private func pair(_ text: String, _ first: String, _ second: String) -> Any {
    let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
    guard numbers.count == 2, let one = numbers[0], let two = numbers[1] else { return text }
    return [first: one, second: two]
  }
}
