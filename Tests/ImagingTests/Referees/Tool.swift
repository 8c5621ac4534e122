import Foundation
import Testing
import TestSupport

extension Tool {
  /// Calls a closure with the path of a file of these bytes, which is removed afterwards.
  static func withFile<Success>(
    _ bytes: [UInt8], name: String = "picture.jpg", _ body: (String) throws -> Success
  ) throws -> Success {
    let directory = TemporaryDirectory(on: .memory)
    let path = directory.path + "/" + name
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    defer { withExtendedLifetime(directory) {} }
    return try body(path)
  }
}

/// The referee exiftool, which knows the Exif standard.
enum ExifTool {
  /// Returns the faults that exiftool finds in a picture, including minor ones.
  static func complaints(
    _ picture: [UInt8], name: String = "picture.jpg"
  ) throws -> [String] {
    let lines = try Tool.withFile(picture, name: name) { path in
      String(
        decoding: try Tool.output(
          of: "exiftool", ["-validate", "-warning", "-error", "-a", "-s", "-G1", path]),
        as: UTF8.self)
    }
    .split(separator: "\n").map(String.init)
    try #require(lines.contains { $0.contains("Validate") }, "exiftool has not validated")
    return lines.filter { !($0.contains("Validate") && $0.hasSuffix(": OK")) }
  }

  /// Returns all tags by group and name, for example `IFD0:Make`, with numbers unconverted.
  static func tags(
    _ picture: [UInt8], name: String = "picture.jpg"
  ) throws -> [String: String] {
    let data = try Tool.withFile(picture, name: name) { path in
      try Tool.output(of: "exiftool", ["-j", "-n", "-G1", "-a", path])
    }
    let list = try #require(try JSONSerialization.jsonObject(with: data) as? [[String: Any]])
    return try #require(list.first).mapValues { "\($0)" }
  }
}

/// A decoded picture, three bytes a pixel.
struct DecodedPicture {
  var width: Int
  var height: Int
  var pixels: [UInt8]

  /// Decodes with `djpeg`; a damaged picture throws.
  init(jpeg: [UInt8]) throws {
    let bytes = [UInt8](
      try Tool.withFile(jpeg) { try Tool.output(of: "djpeg", ["-strict", "-ppm", $0]) })
    // P6, width, height and 255, each followed by white space.
    var fields: [String] = []
    var position = 0
    while fields.count < 4 {
      let end = try #require(bytes[position...].firstIndex { $0 == 10 || $0 == 32 })
      fields.append(String(decoding: bytes[position..<end], as: UTF8.self))
      position = end + 1
    }
    try #require(fields[0] == "P6" && fields[3] == "255")
    width = try #require(Int(fields[1]))
    height = try #require(Int(fields[2]))
    pixels = Array(bytes[position...])
    try #require(pixels.count == width * height * 3)
  }

  /// Returns the color of a pixel.
  func color(_ column: Int, _ row: Int) -> RGB {
    let start = (row * width + column) * 3
    return RGB(
      red: Double(pixels[start]), green: Double(pixels[start + 1]),
      blue: Double(pixels[start + 2]))
  }
}
