import ArgumentParser
import Devices
import Foundation
import Imaging
import PageSense

/// The findings about pages in pictures, a line of JSON for each, for `board/pages`.
struct PagesBenchmark: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pages", abstract: "The findings about pages, and the time for each.")

  @Argument(help: "Pictures in the order of their presses: binary PPM of 8 bits.")
  var files: [String]

  @Option(help: "A folder for the rendition \"document\" of each picture, named as the picture.")
  var documents: String?

  /// A line of the output.
  private struct Line: Encodable {
    var file: String
    var findings: PageFindings
    /// Whether the page is the one of the picture before.
    var isRepeated: Bool
    /// The processor time of the reading.
    var milliseconds: Double
  }

  func run() throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let reader = PageReader()
    var before: PageLook?
    for file in files {
      let picture = try Pixmap(Data(contentsOf: URL(fileURLWithPath: file)), name: file)
      let began = clock()
      let findings = try picture.samples.withUnsafeBytes {
        try reader.read(bytes: $0, format: picture.format)
      }
      let passed = Double(clock() - began) * 1000 / Double(CLOCKS_PER_SEC)
      let look = try picture.samples.withUnsafeBytes {
        try PageLook(bytes: $0, format: picture.format, outline: findings.outline)
      }
      let line = Line(
        file: file, findings: findings,
        isRepeated: before.map { look.isSamePage(as: $0) } ?? false,
        milliseconds: passed)
      before = look
      print(String(decoding: try encoder.encode(line), as: UTF8.self))
      guard let documents else { continue }
      let name = URL(fileURLWithPath: file).deletingPathExtension().lastPathComponent
      try PageDocument.make(of: picture, findings)
        .write(to: URL(fileURLWithPath: documents).appendingPathComponent("\(name).jpg"))
    }
  }
}
