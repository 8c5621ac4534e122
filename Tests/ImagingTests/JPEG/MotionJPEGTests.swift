import Devices
import Foundation
import Imaging
import TestSupport
import Testing

struct MotionJPEGTests {
  static let format = StreamFormat(
    size: FrameSize(width: 64, height: 48), pixelFormat: .mjpeg, bytesPerRow: 0,
    colorSpace: .unspecified)

  /// Returns a whole image with all of its tables, as TurboJPEG writes it.
  static func whole(_ pixelFormat: PixelFormat = .yuyv) throws -> [UInt8] {
    try JPEGEncoderTests.encode(
      TestFrame(
        pixelFormat, pixelFormat == .rgb ? .unspecified : .jpeg, width: 64, height: 48,
        paint: TestFrame.bars(width: 64, height: 48)))
  }

  static func pass(_ bytes: [UInt8]) throws -> [UInt8] {
    try bytes.withUnsafeBytes {
      try JPEGEncoder().encode(bytes: $0, format: format, quality: 90)
    }
  }

  /// Returns the segments before the scan's data, by marker.
  static func segments(_ jpeg: [UInt8]) -> [(marker: UInt8, bytes: [UInt8])] {
    var segments: [(UInt8, [UInt8])] = []
    var position = 2
    while position + 3 < jpeg.count {
      let length = 2 + Int(jpeg[position + 2]) << 8 + Int(jpeg[position + 3])
      let marker = jpeg[position + 1]
      if marker == 0xDA {
        segments.append((marker, Array(jpeg[position...])))
        break
      }
      segments.append((marker, Array(jpeg[position..<position + length])))
      position += length
    }
    return segments
  }

  /// Returns the image without the segments of a marker, as AVI1 cameras send it.
  static func without(_ marker: UInt8, _ jpeg: [UInt8]) -> [UInt8] {
    [0xFF, 0xD8] + segments(jpeg).filter { $0.marker != marker }.flatMap(\.bytes)
  }

  @Test(arguments: [PixelFormat.yuyv, .rgb])
  func `A whole image is passed through byte for byte`(_ pixelFormat: PixelFormat) throws {
    let jpeg = try Self.whole(pixelFormat)
    #expect(try Self.pass(jpeg) == jpeg)
  }

  @Test
  func `Missing Huffman tables are replaced by libjpeg's defaults`() throws {
    let jpeg = try Self.whole()
    let bare = Self.without(0xC4, jpeg)
    #expect(bare.count < jpeg.count)
    let completed = try Self.pass(bare)
    func tables(_ jpeg: [UInt8]) -> Set<[UInt8]> {
      Set(Self.segments(jpeg).filter { $0.marker == 0xC4 }.map(\.bytes))
    }
    #expect(tables(completed) == tables(jpeg) && tables(jpeg).count == 4)
    #expect(
      try DecodedPicture(jpeg: completed).pixels == DecodedPicture(jpeg: jpeg).pixels)
  }

  @Test
  func `A single missing Huffman table is inserted before the scan`() throws {
    let jpeg = try Self.whole()
    var segments = Self.segments(jpeg)
    let index = try #require(segments.firstIndex { $0.marker == 0xC4 })
    segments.remove(at: index)
    let completed = try Self.pass([0xFF, 0xD8] + segments.flatMap(\.bytes))
    #expect(try DecodedPicture(jpeg: completed).pixels == DecodedPicture(jpeg: jpeg).pixels)
  }

  @Test
  func `Data behind the image is cut off, and fill bytes are no error`() throws {
    let jpeg = try Self.whole()
    #expect(try Self.pass(jpeg + [0, 0, 0, 0xFF, 0xD8, 7]) == jpeg)
    let filled = [0xFF, 0xD8, 0xFF, 0xFF] + Array(jpeg.dropFirst(2))
    #expect(try Self.pass(filled) == jpeg)
  }

  @Test
  func `Restart markers and a progressive image are passed through`() throws {
    for options in [["-restart", "1B"], ["-progressive"], ["-grayscale"], ["-optimize"]] {
      let jpeg = [UInt8](
        try Tool.withFile(Self.whole()) { path in
          try Tool.output(of: "jpegtran", options + [path])
        })
      #expect(try Self.pass(jpeg) == jpeg, "\(options)")
    }
  }

  @Test
  func `An arithmetic-coded image is refused, because hardly any program shows it`() throws {
    let jpeg = [UInt8](
      try Tool.withFile(Self.whole()) { try Tool.output(of: "jpegtran", ["-arithmetic", $0]) })
    let error = #expect(throws: ImagingError.self) { try Self.pass(jpeg) }
    #expect(error?.code == .malformedJPEG)
  }

  @Test
  func `Every shortened image is refused`() throws {
    let jpeg = try Self.whole()
    for count in 0..<jpeg.count {
      let error = #expect(throws: ImagingError.self, "\(count) bytes") {
        try Self.pass(Array(jpeg[..<count]))
      }
      #expect(error?.code == .malformedJPEG)
    }
  }

  @Test(arguments: [0xC0, 0xDB, 0xDA] as [UInt8])
  func `An image with a missing part is refused`(_ marker: UInt8) throws {
    let jpeg = try Self.without(marker, Self.whole()) + [0xFF, 0xD9]
    let error = #expect(throws: ImagingError.self) { try Self.pass(jpeg) }
    #expect(error?.code == .malformedJPEG)
  }

  @Test(arguments: 0..<8)
  func `Mutated images are refused with a reason or come out whole`(_ seed: UInt64) throws {
    let originals = try [
      Self.whole(), Self.without(0xC4, Self.whole()),
      [UInt8](
        try Tool.withFile(Self.whole()) { try Tool.output(of: "jpegtran", ["-progressive", $0]) }),
    ]
    var generator = SeededGenerator(seed: seed)
    let encoder = try JPEGEncoder()
    var outcomes = (passed: 0, refused: 0)
    for round in 0..<500 {
      var jpeg = originals[round % originals.count]
      for _ in 0..<Int.random(in: 1...6, using: &generator) {
        Self.mutate(&jpeg, using: &generator)
      }
      do {
        let result = try jpeg.withUnsafeBytes {
          try encoder.encode(bytes: $0, format: Self.format, quality: 90)
        }
        outcomes.passed += 1
        // A passed image is whole, and passes again unchanged.
        #expect(try Self.pass(result) == result, "seed \(seed), round \(round)")
        #expect(throws: Never.self) { try JPEGFile.frameHeader(of: result) }
      } catch let error as ImagingError {
        outcomes.refused += 1
        #expect(error.code == .malformedJPEG, "seed \(seed), round \(round): \(error)")
      }
      // The reader of stored files meets the same bytes.
      _ = try? JPEGFile.assemble(jpeg: jpeg, exif: EXIFMetadataTests.full)
    }
    #expect(outcomes.passed > 0 && outcomes.refused > 0, "seed \(seed): \(outcomes)")
  }

  /// Changes, removes, repeats or inserts bytes, most often near the beginning.
  static func mutate(_ bytes: inout [UInt8], using generator: inout SeededGenerator) {
    guard bytes.count > 1 else { return }
    let end = Bool.random(using: &generator) ? min(bytes.count, 700) : bytes.count
    let position = Int.random(in: 0..<end, using: &generator)
    switch Int.random(in: 0..<6, using: &generator) {
    case 0: bytes[position] = UInt8.random(in: 0...255, using: &generator)
    case 1: bytes[position] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
    case 2:
      bytes[position] = [0, 1, 0xFF, 0xD8, 0xD9, 0xDA, 0xC4].randomElement(using: &generator) ?? 0
    case 3: bytes.remove(at: position)
    case 4: bytes.insert(0xFF, at: position)
    default:
      let count = Int.random(in: 1...min(64, bytes.count - position), using: &generator)
      bytes.removeSubrange(position..<position + count)
    }
  }
}
