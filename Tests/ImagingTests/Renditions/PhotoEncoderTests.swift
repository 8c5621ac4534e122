import Devices
import Foundation
import TestSupport
import Testing

@testable import Imaging

struct PhotoEncoderTests {
  static let three = [
    RenditionSettings(rendition: .full, quality: .quality(90), embedsThumbnail: true),
    RenditionSettings(rendition: .document, quality: .quality(85), embedsThumbnail: true),
    RenditionSettings(rendition: .thumbnail, quality: .quality(80), embedsThumbnail: true),
  ]

  static func encode(
    _ frame: TestFrame, _ renditions: [RenditionSettings], stripeCount: Int = 1,
    exif: EXIFMetadata = EXIFMetadataTests.full, with encoder: PhotoEncoder? = nil
  ) throws -> [EncodedPicture] {
    let encoder = try encoder ?? PhotoEncoder()
    return try frame.bytes.withUnsafeBytes {
      try encoder.encode(
        bytes: $0, format: frame.format, exif: exif, renditions: renditions,
        stripeCount: stripeCount)
    }
  }

  /// Returns the thumbnail that exiftool finds; empty without one.
  static func thumbnail(_ jpeg: [UInt8]) throws -> [UInt8] {
    [UInt8](
      try Tool.withFile(jpeg) { try Tool.output(of: "exiftool", ["-b", "-ThumbnailImage", $0]) })
  }

  /// Half the pixels of the same page are half the resolution.
  @Test func `each rendition has its resolution`() throws {
    let frame = TestFrame(.yuv420, .jpeg, width: 2048, height: 1024) { _, _ in
      RGB(red: 200, green: 200, blue: 200)
    }
    var exif = EXIFMetadataTests.full
    for (wanted, expected) in [(300.0, ["300", "150", "46.88"]), (nil, ["72", "72", "72"])] {
      exif.dotsPerInch = wanted
      let pictures = try Self.encode(frame, Self.three, exif: exif)
      for (picture, resolution) in zip(pictures, expected) {
        let tags = try ExifTool.tags(picture.bytes)
        #expect(tags["IFD0:XResolution"] == resolution && tags["IFD0:YResolution"] == resolution)
        // Without a resolution the unit is none, and the thumbnail never has one.
        #expect(tags["IFD0:ResolutionUnit"] == (wanted == nil ? "1" : "2"))
        #expect(tags["IFD1:ResolutionUnit"] ?? "1" == "1")
        #expect(try ExifTool.complaints(picture.bytes) == [])
      }
      // Pillow is the reader that OCRmyPDF and img2pdf use.
      let read = try Tool.withFile(pictures[0].bytes) {
        try Tool.output(
          of: "/usr/bin/python3",
          [
            "-c",
            "import sys; from PIL import Image; print(Image.open(sys.argv[1]).info['dpi'][0])", $0,
          ])
      }
      let text = String(decoding: read, as: UTF8.self).trimmingCharacters(
        in: .whitespacesAndNewlines)
      #expect(Double(text) == wanted ?? 72)
    }
  }

  @Test(arguments: PixelFormat.allCases.filter { $0 != .mjpeg })
  func `Three pictures of one frame have their sizes and metadata and no complaint`(
    _ pixelFormat: PixelFormat
  ) throws {
    let frame = TestFrame(
      pixelFormat, pixelFormat == .nv12 ? .bt709Limited : .jpeg, width: 1280, height: 721,
      extraBytesPerRow: 16,
      paint: { column, row in TestFrame.color(ofBar: (column / 160 + row / 400) % 8) })
    let pictures = try Self.encode(frame, Self.three, stripeCount: 2)
    #expect(pictures.map(\.rendition) == [.full, .document, .thumbnail])
    #expect(
      pictures.map(\.size) == [
        FrameSize(width: 1280, height: 721), FrameSize(width: 1024, height: 577),
        FrameSize(width: 320, height: 180),
      ])
    #expect(pictures.map(\.hasThumbnail) == [true, true, false])
    for picture in pictures {
      #expect(try ExifTool.complaints(picture.bytes) == [], "\(picture.rendition.name)")
      let shown = try DecodedPicture(jpeg: picture.bytes)
      #expect(shown.width == picture.size.width && shown.height == picture.size.height)
      for bar in 0..<8 {
        let color = shown.color((2 * bar + 1) * shown.width / 16, shown.height / 4)
        #expect(
          color.distance(to: TestFrame.color(ofBar: bar)) <= 5,
          "\(picture.rendition.name), bar \(bar): \(color)")
      }
      let tags = try ExifTool.tags(picture.bytes)
      #expect(tags["ExifIFD:ExifImageWidth"] == "\(picture.size.width)")
      #expect(tags["IFD0:Orientation"] == "6")
      let thumbnail = try Self.thumbnail(picture.bytes)
      #expect(thumbnail.isEmpty != picture.hasThumbnail)
      if picture.hasThumbnail {
        #expect(tags["IFD1:Compression"] == "6" && tags["IFD1:Orientation"] == "6")
        #expect(tags["IFD1:ThumbnailLength"] == "\(thumbnail.count)")
        let small = try DecodedPicture(jpeg: thumbnail)
        #expect(small.width == 320 && small.height == 180)
        let markers = Set(MotionJPEGTests.segments(thumbnail).map(\.marker))
        #expect(markers == [0xDB, 0xC0, 0xC4, 0xDA])
      }
    }
  }

  @Test
  func `A thumbnail of noise is compressed until it fits the segment`() throws {
    var generator = SeededGenerator(seed: 1)
    var frame = TestFrame(
      .rgb, .unspecified, width: 400, height: 400, paint: { _, _ in RGB(red: 0, green: 0, blue: 0) }
    )
    frame.bytes = frame.bytes.map { _ in UInt8.random(in: 0...255, using: &generator) }
    let picture = try Self.encode(frame, Self.three)[0]
    let thumbnail = try Self.thumbnail(picture.bytes)
    #expect(picture.hasThumbnail && !thumbnail.isEmpty && thumbnail.count <= 48 << 10)
    #expect(try ExifTool.complaints(picture.bytes) == [])
  }

  @Test
  func `A picture is made without its thumbnail when the metadata leave no room`() throws {
    var exif = EXIFMetadataTests.full
    exif.model = String(repeating: "m", count: 63_000)
    let frame = TestPage(2, width: 640, height: 480).frame(.yuv420)
    let pictures = try Self.encode(frame, Array(Self.three.prefix(1)), exif: exif)
    #expect(!pictures[0].hasThumbnail)
    #expect(try ExifTool.complaints(pictures[0].bytes) == [])
  }

  @Test
  func `Byte budgets hold for the whole file, and the next pages need two encodes at most`() throws
  {
    let encoder = try PhotoEncoder()
    let budget = 60_000...100_000
    var counts: [Int] = []
    for number in 0..<5 {
      let frame = TestPage(UInt64(number), width: 600, height: 800).taken(1, noise: 5)
        .frame(.yuv420)
      let picture = try Self.encode(
        frame,
        [
          RenditionSettings(
            rendition: .full, quality: .byteBudget(budget, startingAt: 95), embedsThumbnail: true)
        ], stripeCount: 2, with: encoder)[0]
      #expect(budget.contains(picture.bytes.count) && picture.budgetFit == .inside)
      #expect(try DecodedPicture(jpeg: picture.bytes).width == 600)
      counts.append(picture.encodeCount)
    }
    #expect(counts.dropFirst().allSatisfy { $0 <= 2 }, "\(counts)")
  }

  @Test
  func `A budget that cannot be met is reported, with the nearest picture`() throws {
    let frame = TestPage(4, width: 600, height: 800).frame(.nv12)
    func settings(_ budget: ClosedRange<Int>) -> [RenditionSettings] {
      [RenditionSettings(rendition: .full, quality: .byteBudget(budget, startingAt: 90))]
    }
    let above = try Self.encode(frame, settings(1...100))[0]
    #expect(above.budgetFit == .above)
    #expect(above.quality == JPEGQuality.budgetQualities.lowerBound)
    let below = try Self.encode(frame, settings(5_000_000...6_000_000))[0]
    #expect(below.budgetFit == .below)
    #expect(below.quality == JPEGQuality.budgetQualities.upperBound)
  }

  @Test
  func `An MJPEG frame in full is the camera's own, and its copies are made of it`() throws {
    let page = TestPage(6, width: 1100, height: 800).frame(.yuv420)
    let jpeg = try JPEGEncoderTests.encode(page)
    let format = StreamFormat(
      size: FrameSize(width: 1100, height: 800), pixelFormat: .mjpeg, bytesPerRow: 0,
      colorSpace: .unspecified)
    var settings = Self.three
    settings[0].quality = .byteBudget(1...1000, startingAt: 50)
    let pictures = try Self.encode(TestFrame(format: format, bytes: jpeg), settings, stripeCount: 2)
    #expect(pictures.map(\.quality) == [nil, 85, 80])
    #expect(pictures.map(\.encodeCount) == [0, 1, 1])
    #expect(pictures[0].budgetFit == .above && pictures[0].hasThumbnail)
    #expect(
      try DecodedPicture(jpeg: pictures[0].bytes).pixels == DecodedPicture(jpeg: jpeg).pixels)
    #expect(pictures[1].size == FrameSize(width: 1024, height: 745))
    for picture in pictures {
      #expect(try ExifTool.complaints(picture.bytes) == [])
      #expect(try DecodedPicture(jpeg: picture.bytes).width == picture.size.width)
    }
  }

  @Test
  func `A small frame is not enlarged and holds no thumbnail of its own size`() throws {
    let frame = TestFrame(
      .yuyv, .bt601Limited, width: 64, height: 48, paint: TestFrame.bars(width: 64, height: 48))
    for picture in try Self.encode(frame, Self.three, stripeCount: 3) {
      #expect(picture.size == FrameSize(width: 64, height: 48) && !picture.hasThumbnail)
      #expect(try DecodedPicture(jpeg: picture.bytes).height == 48)
    }
  }

  @Test
  func `An image with restart markers cannot be an Exif thumbnail`() throws {
    let jpeg = [UInt8](
      try Tool.withFile(MotionJPEGTests.whole()) {
        try Tool.output(of: "jpegtran", ["-restart", "1", $0])
      })
    let error = #expect(throws: ImagingError.self) { try JPEGFile.thumbnail(from: jpeg) }
    #expect(error?.code == .unsupported)
  }
}
