import ArgumentParser
import Devices
import Foundation
import Imaging
import PageSense

/// The findings about pages in pictures, a line of JSON for each, for `board/pages/measure`.
struct PagesBenchmark: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pages", abstract: "The findings about pages, and the time for each.")

  @Argument(help: "Pictures: binary PPM of 8 bits.")
  var files: [String]

  /// A line of the output.
  private struct Line: Encodable {
    var file: String
    var findings: PageFindings
    /// The processor time.
    var milliseconds: Double
  }

  func run() throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let reader = PageReader()
    for file in files {
      let picture = try Pixmap(Data(contentsOf: URL(fileURLWithPath: file)), name: file)
      let began = clock()
      let findings = try picture.samples.withUnsafeBytes {
        try reader.read(bytes: $0, format: picture.format)
      }
      let passed = Double(clock() - began) * 1000 / Double(CLOCKS_PER_SEC)
      let line = Line(file: file, findings: findings, milliseconds: passed)
      print(String(decoding: try encoder.encode(line), as: UTF8.self))
    }
  }
}

/// A binary PPM picture of 8 bits (netpbm's ppm(5)) without comments.
private struct Pixmap {
  let format: StreamFormat
  let samples: [UInt8]

  init(_ data: Data, name: String) throws {
    var words: [Int] = []
    var rest = data.dropFirst(2)
    while words.count < 3 {
      rest = rest.drop { $0 <= UInt8(ascii: " ") }
      let digits = rest.prefix { $0 > UInt8(ascii: " ") }
      guard let word = Int(String(decoding: digits, as: UTF8.self)) else { break }
      words.append(word)
      rest = rest.dropFirst(digits.count)
    }
    guard data.starts(with: Data("P6".utf8)), words.count == 3, words[2] == 255 else {
      throw ValidationError("\"\(name)\" is no binary PPM picture of 8 bits.")
    }
    samples = [UInt8](rest.dropFirst())
    format = StreamFormat(
      size: FrameSize(width: words[0], height: words[1]), pixelFormat: .rgb,
      bytesPerRow: 3 * words[0], colorSpace: .jpeg)
  }
}
