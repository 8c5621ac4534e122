import Devices
import TestSupport
import Testing

@testable import Imaging

struct EXIFThumbnailTests {
  @Test func `The thumbnail is read from the head, with the orientation of the picture`() throws {
    let frame = TestPage(2, width: 1280, height: 960).frame(.yuv420)
    let picture = try PhotoEncoderTests.encode(frame, PhotoEncoderTests.three)[0]
    let stored = try PhotoEncoderTests.thumbnail(picture.bytes)
    let head = Array(picture.bytes.prefix(EXIFThumbnail.headBytes))
    let thumbnail = try #require(try EXIFThumbnail.upright(ofHead: head))
    #expect(thumbnail.suffix(stored.count - 2) == stored.dropFirst(2))
    let tags = try ExifTool.tags(thumbnail)
    #expect(tags["IFD0:Orientation"] == "6" && tags["IFD1:ThumbnailLength"] == nil)
    let shown = try DecodedPicture(jpeg: thumbnail)
    #expect(shown.width == 320 && shown.height == 240)
  }

  @Test func `A file without a thumbnail or without Exif has none, however it is cut`() throws {
    let frame = TestPage(2, width: 640, height: 480).frame(.yuv420)
    let bare = try PhotoEncoderTests.encode(
      frame, [RenditionSettings(rendition: .full, quality: .quality(80))])[0].bytes
    #expect(try EXIFThumbnail.upright(ofHead: bare) == nil)
    let picture = try PhotoEncoderTests.encode(frame, PhotoEncoderTests.three)[0].bytes
    for length in stride(from: 0, to: 2000, by: 7) {
      #expect(try EXIFThumbnail.upright(ofHead: Array(picture.prefix(length))) == nil)
    }
    #expect(try EXIFThumbnail.upright(ofHead: [0x49, 0x49, 42, 0, 8, 0, 0, 0]) == nil)
  }

  /// A damaged picture is refused or read, and reads nothing outside of its bytes.
  @Test func `Damaged directories cost nothing but the thumbnail`() throws {
    let frame = TestPage(2, width: 640, height: 480).frame(.yuv420)
    let picture = try PhotoEncoderTests.encode(frame, PhotoEncoderTests.three)[0].bytes
    var generator = SeededGenerator(seed: 24)
    for _ in 0..<500 {
      var damaged = picture
      for _ in 0..<4 {
        let place = Int.random(in: 2..<1200, using: &generator)
        damaged[place] = .random(in: 0...255, using: &generator)
      }
      _ = try EXIFThumbnail.upright(ofHead: damaged)
    }
  }
}
