import Foundation
import Testing
import TestSupport

/// The referee LibRaw, by which many programs read DNG files.
enum LibRaw {
  /// The picture that a program of LibRaw has written, in PGM or PPM.
  struct Picture {
    var width: Int
    var height: Int
    var bytes: [UInt8]
  }

  /// Returns the samples as they are stored.
  static func samples(_ dng: [UInt8]) throws -> [[UInt16]] {
    let picture = try picture(of: dng, by: "unprocessed_raw", [], suffix: ".pgm")
    return (0..<picture.height).map { row in
      (row * picture.width..<(row + 1) * picture.width).map {
        UInt16(picture.bytes[2 * $0]) << 8 | UInt16(picture.bytes[2 * $0 + 1])
      }
    }
  }

  /// Returns the picture in sRGB, three bytes a pixel, with the camera's white balance.
  static func development(_ dng: [UInt8]) throws -> Picture {
    try picture(of: dng, by: "dcraw_emu", ["-w", "-W"], suffix: ".ppm")
  }

  private static func picture(
    of dng: [UInt8], by program: String, _ options: [String], suffix: String
  ) throws -> Picture {
    try Tool.withFile(dng, name: "picture.dng") { path in
      let arguments = options + [path]
      let run = try Tool.runHere(program, arguments).whenItSucceeded(program, arguments)
      try #require(run.complaint == "", "\(program)")
      let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path + suffix)))
      // The header is three lines: the kind, the width and height, the largest sample.
      let lines = bytes.split(separator: 10, maxSplits: 3, omittingEmptySubsequences: false)
      let size = String(decoding: try #require(lines.count == 4 ? lines[1] : nil), as: UTF8.self)
        .split(separator: " ").compactMap { Int($0) }
      try #require(size.count == 2)
      return Picture(width: size[0], height: size[1], bytes: Array(lines[3]))
    }
  }
}
