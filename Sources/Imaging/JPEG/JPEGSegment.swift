import Devices
import Glibc

/// A marker segment of a JPEG image (ITU-T T.81, annex B).
struct JPEGSegment {
  /// The second byte of the marker.
  var marker: UInt8
  /// The whole segment: marker, length and contents; for a scan also the coded data after it.
  var range: Range<Int>
  /// The contents after the length.
  var payload: Range<Int>

  /// The markers that this module knows.
  enum Marker {
    static let startOfImage: UInt8 = 0xD8
    static let endOfImage: UInt8 = 0xD9
    static let startOfScan: UInt8 = 0xDA
    static let quantizationTables: UInt8 = 0xDB
    static let huffmanTables: UInt8 = 0xC4
    static let restartInterval: UInt8 = 0xDD
    static let comment: UInt8 = 0xFE
    static let temporary: UInt8 = 0x01
    static let restart: ClosedRange<UInt8> = 0xD0...0xD7
    /// The Huffman-coded frames that all readers show: baseline, extended sequential, progressive.
    static let readableFrames: ClosedRange<UInt8> = 0xC0...0xC2
    /// All start-of-frame markers; DHT, JPG and DAC lie between them.
    static let frames: Set<UInt8> = Set(0xC0...0xCF).subtracting([0xC4, 0xC8, 0xCC])
    static let application: ClosedRange<UInt8> = 0xE0...0xEF
  }
}

/// A reader of a JPEG image's segments that trusts none of its lengths.
struct JPEGSegmentReader {
  private let bytes: UnsafeRawBufferPointer
  private var position: Int
  private(set) var isAtEnd = false

  /// Starts after the start-of-image marker.
  ///
  /// - Throws: ``ImagingError``, code `malformedJPEG`.
  init(_ bytes: UnsafeRawBufferPointer) throws(ImagingError) {
    self.bytes = bytes
    position = 2
    guard bytes.count >= 2, bytes[0] == 0xFF, bytes[1] == JPEGSegment.Marker.startOfImage else {
      throw Self.malformed("does not begin with a start-of-image marker", bytes)
    }
  }

  /// Reads the next segment; `nil` at the end-of-image marker.
  ///
  /// - Throws: ``ImagingError``, code `malformedJPEG`.
  mutating func next() throws(ImagingError) -> JPEGSegment? {
    if isAtEnd { return nil }
    guard position + 1 < bytes.count else { throw malformed("ends without an end-of-image marker") }
    guard bytes[position] == 0xFF else { throw malformed("has no marker at byte \(position)") }
    var start = position
    // Fill bytes may precede any marker.
    while start + 1 < bytes.count, bytes[start + 1] == 0xFF { start += 1 }
    guard start + 1 < bytes.count else { throw malformed("ends without an end-of-image marker") }
    let marker = bytes[start + 1]
    switch marker {
    case JPEGSegment.Marker.endOfImage:
      isAtEnd = true
      return nil
    case 0x00, JPEGSegment.Marker.startOfImage, JPEGSegment.Marker.temporary,
      JPEGSegment.Marker.restart:
      throw malformed("has a misplaced marker \(Self.name(marker)) at byte \(start)")
    default: break
    }
    guard start + 3 < bytes.count else { throw malformed("ends in a segment's length") }
    let length = Int(bytes[start + 2]) << 8 | Int(bytes[start + 3])
    guard length >= 2, start + 2 + length <= bytes.count else {
      throw malformed("has a segment \(Self.name(marker)) of impossible length \(length)")
    }
    let payload = start + 4..<start + 2 + length
    position = payload.upperBound
    if marker == JPEGSegment.Marker.startOfScan { skipCodedData() }
    return JPEGSegment(marker: marker, range: start..<position, payload: payload)
  }

  /// Moves to the first marker that does not belong to coded data, or to the end of the bytes.
  private mutating func skipCodedData() {
    while position + 1 < bytes.count, let start = bytes.baseAddress,
      let found = memchr(start + position, 0xFF, bytes.count - 1 - position)
    {
      position = UnsafeRawPointer(found) - start
      let next = bytes[position + 1]
      if next == 0 || JPEGSegment.Marker.restart.contains(next) {
        position += 2
      } else if next == 0xFF {
        position += 1
      } else {
        return
      }
    }
    position = bytes.count
  }

  private func malformed(_ problem: String) -> ImagingError { Self.malformed(problem, bytes) }

  private static func malformed(
    _ problem: String, _ bytes: UnsafeRawBufferPointer
  ) -> ImagingError {
    ImagingError(
      .malformedJPEG, subject: "JPEG image of \(bytes.count.counted("byte"))", problem: problem)
  }

  private static func name(_ marker: UInt8) -> String { "FF" + hexadecimal(marker) }

  private static func hexadecimal(_ byte: UInt8) -> String {
    let digits = String(byte, radix: 16, uppercase: true)
    return digits.count == 1 ? "0" + digits : digits
  }
}
