import Devices
import Imaging
import Testing
import TestSupport

struct JPEGFileTests {
  static func picture(_ pixelFormat: PixelFormat) throws -> [UInt8] {
    switch pixelFormat {
    case .mjpeg:
      return try MotionJPEGTests.pass(MotionJPEGTests.without(0xC4, MotionJPEGTests.whole()))
    case .rgb, .bgr:
      return try JPEGEncoderTests.encode(
        TestFrame(
          pixelFormat, .unspecified, width: 64, height: 48,
          paint: TestFrame.bars(width: 64, height: 48)))
    case .yuv420, .nv12, .yuyv:
      return try JPEGEncoderTests.encode(
        TestFrame(
          pixelFormat, .jpeg, width: 64, height: 48,
          paint: TestFrame.bars(width: 64, height: 48)))
    }
  }

  @Test(arguments: PixelFormat.allCases)
  func `exiftool finds no fault, not even a minor one, and the picture decodes as before`(
    _ pixelFormat: PixelFormat
  ) throws {
    let jpeg = try Self.picture(pixelFormat)
    let file = try JPEGFile.assemble(jpeg: jpeg, exif: EXIFMetadataTests.full)
    #expect(try ExifTool.complaints(file) == [])
    #expect(try DecodedPicture(jpeg: file).pixels == DecodedPicture(jpeg: jpeg).pixels)
    let tags = try ExifTool.tags(file)
    #expect(tags["ExifIFD:ExifImageWidth"] == "64" && tags["ExifIFD:ExifImageHeight"] == "48")
    #expect(tags["File:ImageWidth"] == "64" && tags["File:ImageHeight"] == "48")
    #expect(!tags.keys.contains { $0.hasPrefix("JFIF:") })
  }

  @Test
  func `exiftool complains of a damaged file`() throws {
    let file = try JPEGFile.assemble(
      jpeg: Self.picture(.yuv420), exif: EXIFMetadataTests.full)
    let length = 2 + Int(file[4]) << 8 + Int(file[5])
    var damaged = file
    // The first entry of IFD0 becomes a tag out of order.
    let exif = try #require(
      (2..<length).first { Array(file[$0..<$0 + 2]) == [0x0F, 0x01] })
    damaged[exif + 1] = 0x7F
    #expect(try ExifTool.complaints(damaged) != [])
  }

  @Test
  func `The Exif segment stands directly behind the start of the image, and only once`() throws {
    let once = try JPEGFile.assemble(jpeg: Self.picture(.nv12), exif: EXIFMetadataTests.full)
    #expect(Array(once[0..<4]) == [0xFF, 0xD8, 0xFF, 0xE1])
    #expect(Array(once[6..<12]) == Array("Exif\0\0".utf8))
    let twice = try JPEGFile.assemble(jpeg: once, exif: EXIFMetadataTests.full)
    #expect(twice == once)
  }

  @Test
  func `Only color marks stay of other application segments`() throws {
    let jpeg = try Self.picture(.yuyv)
    func segment(_ marker: UInt8, _ contents: String) -> [UInt8] {
      let bytes = Array(contents.utf8)
      return [0xFF, marker, 0, UInt8(bytes.count + 2)] + bytes
    }
    let added = [
      segment(0xE0, "AVI1\0\0"), segment(0xE1, "http://ns.adobe.com/xap/1.0/\0"),
      segment(0xE2, "ICC_PROFILE\0\u{1}\u{1}"), segment(0xE2, "MPF\0"), segment(0xE4, "H264"),
      segment(0xEE, "Adobe\0d\0\0\0\0\0"), segment(0xFE, "words"),
    ]
    let file = try JPEGFile.assemble(
      jpeg: [0xFF, 0xD8] + added.flatMap { $0 } + jpeg.dropFirst(2), exif: EXIFMetadataTests.full)
    let kept = MotionJPEGTests.segments(file).filter { $0.marker >= 0xE0 }.dropFirst().map(\.bytes)
    #expect(kept == [added[2], added[5], added[6]])
  }

  @Test(arguments: [65_000, 70_000, 1_000_000])
  func `Metadata larger than a segment are refused`(_ count: Int) throws {
    var metadata = EXIFMetadataTests.full
    metadata.model = String(repeating: "m", count: count)
    let jpeg = try Self.picture(.rgb)
    let error = #expect(throws: ImagingError.self) {
      try JPEGFile.assemble(jpeg: jpeg, exif: metadata)
    }
    #expect(error?.code == .metadataTooLarge)
    metadata.model = String(repeating: "m", count: 64_000)
    #expect(try ExifTool.complaints(JPEGFile.assemble(jpeg: jpeg, exif: metadata)) == [])
  }

  @Test(arguments: [[], [0xFF], [0xFF, 0xD8], [0xFF, 0xD8, 0xFF, 0xD9], [1, 2, 3]] as [[UInt8]])
  func `Invalid JPEG images are refused`(_ bytes: [UInt8]) {
    let error = #expect(throws: ImagingError.self) {
      try JPEGFile.assemble(jpeg: bytes, exif: EXIFMetadataTests.full)
    }
    #expect(error?.code == .malformedJPEG)
  }
}
