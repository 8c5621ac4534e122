import Devices
import Foundation
import TestSupport

@testable import Spool

/// Movies of boxes around random media, as a recorder writes them.
enum MovieSample {
  /// Makes a box with a short head.
  static func box(_ type: String, _ content: [UInt8] = []) -> [UInt8] {
    bytes(UInt32(content.count + 8)) + Array(type.utf8) + content
  }

  /// Makes a box with a long head.
  static func longBox(_ type: String, _ content: [UInt8]) -> [UInt8] {
    bytes(UInt32(1)) + Array(type.utf8) + bytes(UInt64(content.count + 16)) + content
  }

  /// The beginning of a fragmented movie.
  static let beginning =
    box("ftyp", Array("isom".utf8)) + movieBox(isFragmented: true)

  static func movieBox(isFragmented: Bool) -> [UInt8] {
    box(
      "moov",
      box("mvhd", media(100, count: 40)) + box("trak", media(101, count: 60))
        + (isFragmented ? box("mvex", media(102, count: 12)) : []))
  }

  /// Makes a fragment that differs from those of all other numbers.
  static func fragment(_ number: Int, count: Int = 90) -> [UInt8] {
    box("moof", box("mfhd", media(number, count: 8)) + box("traf", media(number, count: 20)))
      + box("mdat", media(number, count: count))
  }

  /// Makes a movie of so many fragments; `first` makes it differ from other movies.
  static func movie(_ fragments: Int, first: Int = 1, count: Int = 90) -> [UInt8] {
    beginning + (first..<first + fragments).flatMap { fragment($0, count: count) }
  }

  /// Returns the lengths of a movie up to the end of each of its fragments.
  static func ends(_ fragments: Int, count: Int = 90) -> [Int] {
    let length = fragment(1, count: count).count
    return (0..<fragments).map { beginning.count + ($0 + 1) * length }
  }

  private static func media(_ number: Int, count: Int) -> [UInt8] {
    var random = SeededGenerator(seed: UInt64(number))
    return (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
  }

  private static func bytes(_ number: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: number.bigEndian) { Array($0) }
  }
}

extension ItemMetadata {
  /// Makes the metadata of a recording.
  static func recording(_ press: Int64) -> ItemMetadata {
    var metadata = ItemMetadata(
      rigID: "rig-1", pressNumber: press,
      captured: CaptureTime(
        bootID: "b", monotonicNanoseconds: press, wallNanoseconds: 1_795_219_200_000_000_000,
        wallTrust: .synchronized))
    metadata.captureAngle = 90
    return metadata
  }
}

/// Appends bytes to a file, as a recorder in another process does.
func append(_ bytes: [UInt8], to path: String) throws {
  let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
  try file.seekToEnd()
  try file.write(contentsOf: Data(bytes))
  try file.close()
}
