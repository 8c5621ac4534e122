import API
import ArgumentParser
import Console

/// `platenctl calibrate scale`.
struct CalibrateScaleCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "scale",
    abstract: "Measure the pixels to an inch on a sheet of known size, which pictures then claim.",
    discussion: """
      Lay one sheet of paper, or anything flat with four right angles, wholly into the picture, on \
      ground that contrasts with it. The scale holds for pictures of this camera, size and zoom \
      with the lens where it is, until "platenctl session forget". A picture for which \
      neither a scale nor the key image.dpi holds claims no resolution.
      """)

  @OptionGroup var connection: ConnectionOptions

  @Argument(help: "The sheet.")
  var paper: PaperSize?

  @Option(help: "The sheet's size in millimeters, such as 210x297.")
  var size: SheetSides?

  func validate() throws {
    guard (paper == nil) != (size == nil) else {
      throw ValidationError("Name the sheet, or its size with --size.")
    }
  }

  func run() async throws {
    guard let sides = size ?? paper?.sides else { return }
    try await connection.showAnswer(
      to: Operations.measureScale,
      ScaleRequest(widthMillimeters: sides.width, heightMillimeters: sides.height))
  }
}

/// The sizes of paper that have a name (ISO 216, ANSI/ASME Y14.1).
enum PaperSize: String, CaseIterable, ExpressibleByArgument {
  case a3, a4, a5, letter, legal

  var sides: SheetSides {
    switch self {
    case .a3: SheetSides(width: 297, height: 420)
    case .a4: SheetSides(width: 210, height: 297)
    case .a5: SheetSides(width: 148, height: 210)
    case .letter: SheetSides(width: 215.9, height: 279.4)
    case .legal: SheetSides(width: 215.9, height: 355.6)
    }
  }
}

/// The sides of a sheet in millimeters.
struct SheetSides: ExpressibleByArgument, Equatable {
  var width: Double
  var height: Double

  init(width: Double, height: Double) {
    self.width = width
    self.height = height
  }

  init?(argument: String) {
    let sides = argument.lowercased().split(separator: "x", omittingEmptySubsequences: false)
      .map { Double($0) }
    guard sides.count == 2, let width = sides[0], let height = sides[1],
      ScaleRequest.sides.contains(width), ScaleRequest.sides.contains(height)
    else { return nil }
    self.init(width: width, height: height)
  }
}
