import API
import Foundation
import TestSupport
import Testing

@testable import Console

@Suite struct SixelEncoderTests {
  /// A decoded gray picture; pixels without a sixel are `nil`.
  private struct Decoded {
    var width = 0
    var height = 0
    var levels: [[Int?]] = []

    /// Reads sixels by DEC STD 070: palette, raster attributes, runs, `$` and `-`.
    init(_ text: String) throws {
      let begin = "\u{1B}P0;1;0q\""
      let end = "\u{1B}\\"
      try #require(text.hasPrefix(begin) && text.hasSuffix(end))
      var rest = Array(text.dropFirst(begin.count).dropLast(end.count).utf8)[...]
      func numbers(_ rest: inout ArraySlice<UInt8>) -> [Int] {
        let digits = rest.prefix { (48...57).contains($0) || $0 == 59 }
        rest = rest.dropFirst(digits.count)
        return String(decoding: digits, as: UTF8.self).split(separator: ";").compactMap { Int($0) }
      }
      let raster = numbers(&rest)
      try #require(raster.count == 4 && raster[0] == 1 && raster[1] == 1)
      (width, height) = (raster[2], raster[3])
      levels = Array(repeating: Array(repeating: nil, count: width), count: height)
      var palette: [Int: Int] = [:]
      var (color, column, top) = (0, 0, 0)
      while let byte = rest.popFirst() {
        switch byte {
        case UInt8(ascii: "#"):
          let parts = numbers(&rest)
          color = try #require(parts.first)
          if parts.count == 5 {
            try #require(parts[1] == 2 && parts[2] == parts[3] && parts[3] == parts[4])
            palette[color] = parts[2]
          }
        case UInt8(ascii: "$"): column = 0
        case UInt8(ascii: "-"): (column, top) = (0, top + 6)
        case UInt8(ascii: "!"):
          let (count, sixel) = (numbers(&rest).first, rest.popFirst())
          try paint(#require(sixel), #require(count), palette[color], &column, top)
        default: try paint(byte, 1, palette[color], &column, top)
        }
      }
    }

    private mutating func paint(
      _ sixel: UInt8, _ count: Int, _ level: Int?, _ column: inout Int, _ top: Int
    ) throws {
      try #require((63...126).contains(sixel) && column + count <= width)
      for bit in 0..<6 where (sixel - 63) >> bit & 1 == 1 {
        try #require(top + bit < height)
        for offset in 0..<count { levels[top + bit][column + offset] = level }
      }
      column += count
    }
  }

  @Test func `every pixel has its shade`() throws {
    var generator = TestSeed.generator()
    for _ in 0..<60 {
      let width = Int.random(in: 1...70, using: &generator)
      let height = Int.random(in: 1...40, using: &generator)
      let isCalm = Bool.random(using: &generator)
      var level: UInt8 = 0
      let luma = (0..<width * height).map { _ -> UInt8 in
        if !isCalm || Int.random(in: 0..<9, using: &generator) == 0 {
          level = .random(in: 0...255, using: &generator)
        }
        return level
      }
      let decoded = try Decoded(SixelEncoder.encode(luma, width: width))
      #expect(
        decoded.width == width && decoded.height == height, "seed \(TestSeed.value)")
      for (index, sample) in luma.enumerated() {
        let percent = try #require(decoded.levels[index / width][index % width])
        // A shade deviates by half a step of sixteen at most, and by one percent of rounding.
        #expect(
          abs(Double(sample) / 2.55 - Double(percent)) <= 100 / 30 + 1,
          "seed \(TestSeed.value)")
      }
    }
  }

  @Test func `only sixels are sent`() {
    let text = SixelEncoder.encode((0..<4096).map { UInt8($0 % 256) }, width: 64)
    let inside = text.dropFirst(2).dropLast(2)
    #expect(inside.utf8.allSatisfy { (32...126).contains($0) })
    #expect(text.hasPrefix("\u{1B}P") && text.hasSuffix("\u{1B}\\"))
  }

  @Test func `a plain picture is short`() {
    let text = SixelEncoder.encode([UInt8](repeating: 255, count: 320 * 240), width: 320)
    #expect(text.utf8.count < 800)
  }

  /// The referee is libsixel's own converter.
  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/sixel2png")))
  func `libsixel sees the same picture`() throws {
    let (width, height) = (97, 50)
    let luma = (0..<width * height).map { index -> UInt8 in
      let (x, y) = (index % width, index / width)
      return UInt8((2 * x + 3 * y) % 256)
    }
    let place = TemporaryDirectory()
    defer { withExtendedLifetime(place) {} }
    let directory = place.path
    try Data(SixelEncoder.encode(luma, width: width).utf8)
      .write(to: URL(fileURLWithPath: directory + "/in.six"))
    _ = try Tool.output(
      of: "sixel2png", ["-i", directory + "/in.six", "-o", directory + "/out.png"])
    let script = """
      import sys
      from PIL import Image
      image = Image.open(sys.argv[1]).convert("L")
      print(*image.size, *image.getdata())
      """
    let words = String(
      decoding: try Tool.output(of: "/usr/bin/python3", ["-c", script, directory + "/out.png"]),
      as: UTF8.self
    ).split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
    try #require(words.count == 2 + luma.count)
    #expect(words[0] == width && words[1] == height)
    for (seen, sample) in zip(words.dropFirst(2), luma) {
      #expect(abs(seen - Int(sample)) <= 12, "\(seen) for \(sample)")
    }
  }
}
