import Devices
import TestSupport
import Testing

@testable import Imaging

struct StripeJoinerTests {
  /// Returns the images of a picture's stripes, which jpegtran gives restart markers.
  static func stripes() throws -> [[UInt8]] {
    let frame = TestPage(7, width: 96, height: 80).frame(.yuv420)
    return try [0..<32, 32..<64, 64..<80].map { rows in
      // 32 rows of luma are 16 of chroma.
      var part = TestFrame(
        .yuv420, .jpeg, width: 96, height: rows.count, extraBytesPerRow: 6,
        paint: { _, _ in RGB(red: 128, green: 128, blue: 128) })
      let bytesPerRow = frame.format.bytesPerRow
      for row in 0..<rows.count {
        for column in 0..<96 {
          part.bytes[row * part.format.bytesPerRow + column] =
            frame.bytes[(rows.lowerBound + row) * bytesPerRow + column]
        }
      }
      let jpeg = try JPEGEncoderTests.encode(part)
      return [UInt8](
        try Tool.withFile(jpeg) { try Tool.output(of: "jpegtran", ["-restart", "1", $0]) })
    }
  }

  static func join(_ stripes: [[UInt8]], height: Int) throws -> [UInt8] {
    let copies = stripes.map { stripe in
      let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: stripe.count, alignment: 1)
      copy.copyBytes(from: stripe)
      return copy
    }
    defer { copies.forEach { $0.deallocate() } }
    return try StripeJoiner.join(copies.map { UnsafeRawBufferPointer($0) }, height: height)
  }

  @Test
  func `The images of another encoder's stripes become one`() throws {
    let stripes = try Self.stripes()
    let whole = try TurboDecoder.decode(Self.join(stripes, height: 80))
    #expect(whole.width == 96 && whole.height == 80)
    // Decoders smooth chroma over the borders, but it is equal everywhere here.
    let parts = try stripes.flatMap { try TurboDecoder.decode($0).pixels }
    #expect(whole.pixels == parts)
    #expect(try DecodedPicture(jpeg: Self.join(stripes, height: 80)).pixels == parts)
  }

  @Test
  func `Stripes that do not make the picture are refused`() throws {
    let stripes = try Self.stripes()
    var otherTables = stripes
    let other = try JPEGEncoderTests.encode(
      TestPage(7, width: 96, height: 32).frame(.yuv420), quality: 40)
    otherTables[1] = [UInt8](
      try Tool.withFile(other) { try Tool.output(of: "jpegtran", ["-restart", "1", $0]) })
    let withoutRestarts = [
      [UInt8](
        try Tool.withFile(stripes[0]) { try Tool.output(of: "jpegtran", ["-restart", "0", $0]) })
    ]
    let progressive = [
      [UInt8](
        try Tool.withFile(stripes[0]) { try Tool.output(of: "jpegtran", ["-progressive", $0]) })
    ]
    let cases: [(stripes: [[UInt8]], height: Int)] = [
      ([], 80), (stripes, 0), (stripes, -1), (stripes, 65501), (stripes, 79), (stripes, 81),
      ([stripes[0], stripes[1]], 80), (otherTables, 80), ([stripes[2], stripes[0]], 48 + 1),
      (withoutRestarts, 32), (progressive, 32), ([[]], 8), ([[0xFF, 0xD8, 0xFF, 0xD9]], 8),
    ]
    for (index, example) in cases.enumerated() {
      let error = #expect(throws: ImagingError.self, "case \(index)") {
        try Self.join(example.stripes, height: example.height)
      }
      #expect(error?.code == .malformedJPEG, "case \(index)")
    }
  }

  @Test(arguments: 0..<8 as Range<UInt64>)
  func `Damaged stripes are refused or make an image that is whole`(_ seed: UInt64) throws {
    let stripes = try Self.stripes()
    var generator = SeededGenerator(seed: seed)
    var outcomes = (joined: 0, refused: 0)
    for round in 0..<400 {
      var damaged = stripes
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        let index = Int.random(in: 0..<damaged.count, using: &generator)
        MotionJPEGTests.mutate(&damaged[index], using: &generator)
      }
      do {
        let joined = try Self.join(damaged, height: 80)
        outcomes.joined += 1
        let header = try JPEGFile.frameHeader(of: joined)
        #expect(header.size.height == 80, "seed \(seed), round \(round)")
        // The markers are complete and in order, with any data between them.
        #expect(
          Self.restarts(joined) == [0xD0, 0xD1, 0xD2, 0xD3], "seed \(seed), round \(round)")
      } catch let error as ImagingError {
        outcomes.refused += 1
        #expect(error.code == .malformedJPEG, "seed \(seed), round \(round): \(error)")
      }
    }
    #expect(outcomes.joined > 0 && outcomes.refused > 0, "seed \(seed): \(outcomes)")
  }

  /// Returns the restart markers in a joined image's scan.
  static func restarts(_ jpeg: [UInt8]) -> [UInt8] {
    let scan = MotionJPEGTests.segments(jpeg).last?.bytes ?? []
    return zip(scan, scan.dropFirst()).filter { $0 == 0xFF && (0xD0...0xD7).contains($1) }.map(\.1)
  }
}
