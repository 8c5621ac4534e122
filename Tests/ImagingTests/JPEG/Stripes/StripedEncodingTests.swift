import Devices
import Imaging
import TestSupport
import Testing

struct StripedEncodingTests {
  static func encode(
    _ frame: TestFrame, quality: Int = 90, stripeCount: Int, with encoder: JPEGEncoder
  ) throws -> [UInt8] {
    try frame.bytes.withUnsafeBytes {
      try encoder.encode(
        bytes: $0, format: frame.format, quality: quality, stripeCount: stripeCount)
    }
  }

  @Test(arguments: 0..<8 as Range<UInt64>)
  func `Any frame shows the same after encoding with any number of threads`(_ seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let encoder = try JPEGEncoder()
    for round in 0..<40 {
      let frame = TestFrame.random(upTo: 150, using: &generator)
      let quality = Int.random(in: 1...100, using: &generator)
      let stripeCount = Int.random(in: 2...12, using: &generator)
      let name =
        "seed \(seed), round \(round): \(frame.format), quality \(quality), \(stripeCount) stripes"
      let whole = try Self.encode(frame, quality: quality, stripeCount: 1, with: encoder)
      let striped = try Self.encode(
        frame, quality: quality, stripeCount: stripeCount, with: encoder)
      let two = try Self.encode(frame, quality: quality, stripeCount: 2, with: encoder)
      #expect(striped == two, "\(name)")
      let (wanted, shown) = (try TurboDecoder.decode(whole), try TurboDecoder.decode(striped))
      #expect(shown.width == frame.format.size.width, "\(name)")
      #expect(shown.height == frame.format.size.height, "\(name)")
      #expect(shown.pixels == wanted.pixels, "\(name)")
    }
  }

  @Test(arguments: JPEGEncoderTests.inputs, [2, 3, 5])
  func `djpeg shows the same picture, and exiftool finds no fault, not even a minor one`(
    _ input: JPEGEncoderTests.Input, stripeCount: Int
  ) throws {
    let frame = TestFrame(
      input.pixelFormat, input.colorSpace, width: 203, height: 177, extraBytesPerRow: 8,
      paint: TestFrame.bars(width: 203, height: 177))
    let encoder = try JPEGEncoder()
    let whole = try Self.encode(frame, stripeCount: 1, with: encoder)
    let striped = try Self.encode(frame, stripeCount: stripeCount, with: encoder)
    let (wanted, shown) = (try DecodedPicture(jpeg: whole), try DecodedPicture(jpeg: striped))
    #expect(shown.pixels == wanted.pixels && shown.width == 203 && shown.height == 177)
    let file = try JPEGFile.assemble(jpeg: striped, exif: EXIFMetadataTests.full)
    #expect(try ExifTool.complaints(file) == [])
    #expect(try DecodedPicture(jpeg: file).pixels == wanted.pixels)
  }

  @Test
  func `Stripes add only a restart interval to the segments of the whole`() throws {
    let frame = TestFrame(
      .yuv420, .jpeg, width: 640, height: 480, paint: TestFrame.gradient(width: 640, height: 480))
    let encoder = try JPEGEncoder()
    for quality in [1, 50, 90, 100] {
      let whole = MotionJPEGTests.segments(
        try Self.encode(frame, quality: quality, stripeCount: 1, with: encoder))
      let striped = MotionJPEGTests.segments(
        try Self.encode(frame, quality: quality, stripeCount: 4, with: encoder))
      let added = striped.filter { $0.marker == 0xDD }.map(\.bytes)
      #expect(added == [[0xFF, 0xDD, 0, 4, 0, 40]])
      // The scan's data is not compared.
      #expect(
        Set(striped.filter { $0.marker != 0xDD && $0.marker != 0xDA }.map(\.bytes))
          == Set(whole.filter { $0.marker != 0xDA }.map(\.bytes)))
    }
  }

  @Test
  func `Stripes cost little: a marker for each row of MCUs`() throws {
    let page = TestPage(3, width: 1024, height: 768).frame(.yuv420)
    let encoder = try JPEGEncoder()
    let whole = try Self.encode(page, stripeCount: 1, with: encoder).count
    let striped = try Self.encode(page, stripeCount: 2, with: encoder).count
    #expect(striped > whole && striped - whole < 48 * 8, "\(whole) and \(striped) bytes")
  }

  @Test(arguments: [-3, 0, 1, 2, 64, 1000])
  func `An encoder goes on after bad frames with any number of stripes`(_ stripeCount: Int) throws {
    let encoder = try JPEGEncoder()
    let good = TestFrame(
      .nv12, .bt709Limited, width: 97, height: 1201,
      paint: TestFrame.gradient(width: 97, height: 1201))
    let wanted = try TurboDecoder.decode(Self.encode(good, stripeCount: 1, with: encoder))
    for _ in 0..<2 {
      var bad = good
      bad.bytes.removeLast(bad.bytes.count / 2)
      #expect(throws: ImagingError.self) {
        try Self.encode(bad, stripeCount: stripeCount, with: encoder)
      }
      let error = #expect(throws: ImagingError.self) {
        try Self.encode(good, quality: 0, stripeCount: stripeCount, with: encoder)
      }
      #expect(error?.code == .unsupported)
      let shown = try TurboDecoder.decode(
        Self.encode(good, stripeCount: stripeCount, with: encoder))
      #expect(shown.pixels == wanted.pixels)
    }
  }

  @Test
  func `An MJPEG frame is passed on with any number of stripes`() throws {
    let jpeg = try MotionJPEGTests.whole()
    let passed = try jpeg.withUnsafeBytes {
      try JPEGEncoder().encode(
        bytes: $0, format: MotionJPEGTests.format, quality: 90, stripeCount: 4)
    }
    #expect(passed == jpeg)
  }
}
