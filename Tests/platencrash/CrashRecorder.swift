import Foundation
import Spool

/// The recorder of the workload, which forces each fragment of a movie to the disk.
struct CrashRecorder {
  /// The number of fragments of a recording that is not cut off.
  static let fragments = 4

  /// The place in the spool.
  let recording: OpenRecording
  /// The number of the recording's press, which also makes its bytes.
  let press: Int64
  private(set) var written = 0

  init(_ recording: OpenRecording, press: Int64) {
    self.recording = recording
    self.press = press
  }

  /// Whether the recording has all its fragments.
  var isDone: Bool { written == Self.fragments }

  /// Writes the next fragment and forces it to the disk.
  ///
  /// - Returns: the length of the file in bytes.
  mutating func grow() throws -> Int64 {
    let before = Self.movie(written, press: press).count
    written += 1
    let movie = Self.movie(written, press: press)
    let descriptor = open(recording.path, O_WRONLY | O_APPEND)
    guard descriptor >= 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    defer { close(descriptor) }
    let part = Array(movie[before...])
    guard write(descriptor, part, part.count) == part.count, fsync(descriptor) == 0 else {
      throw POSIXError(.init(rawValue: errno) ?? .EIO)
    }
    return Int64(movie.count)
  }

  /// Makes a movie of so many fragments; none gives no bytes.
  static func movie(_ fragments: Int, press: Int64) -> [UInt8] {
    guard fragments > 0 else { return [] }
    var movie = box("ftyp", Array("isom".utf8))
    movie += box("moov", box("mvhd", []) + box("trak", []) + box("mvex", []))
    for number in 1...fragments {
      movie += box("moof", box("mfhd", []) + box("traf", []))
      movie += box(
        "mdat",
        (0..<6000).map { UInt8(truncatingIfNeeded: ($0 + number) &* Int(press) &+ $0 >> 8) })
    }
    return movie
  }

  private static func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
    withUnsafeBytes(of: UInt32(content.count + 8).bigEndian) { Array($0) } + Array(type.utf8)
      + content
  }
}
