import Devices
import Foundation
import TestSupport
import Testing

@testable import Imaging

/// The XMP packet in a picture's file, read by exiftool.
struct XMPMetadataTests {
  static let size = FrameSize(width: 640, height: 480)

  static func metadata(regions: Int = 2) -> XMPMetadata? {
    var page = PageFindings()
    page.skew = -0.42134
    page.letterHeight = 21.5
    page.outline = [
      PageFindings.Point(x: 0.1, y: 0.2), PageFindings.Point(x: 0.9, y: 0.2),
      PageFindings.Point(x: 0.9, y: 0.8), PageFindings.Point(x: 0.1, y: 0.8),
    ]
    page.regions = (0..<regions).map { index in
      PageFindings.Region(x: 0.25, y: Double(index) / 4, width: 0.5, height: 0.25)
    }
    page.warnings = [.glare, .pageCrooked]
    return XMPMetadata(orientationSource: .text, page: page)
  }

  private func encode(
    _ renditions: [RenditionSettings], _ xmp: XMPMetadata?, stripeCount: Int = 1,
    isRead: Bool = false
  ) throws -> [EncodedPicture] {
    let frame = TestPage(2, width: 640, height: 480).frame(.yuv420)
    let encoder = try PhotoEncoder()
    return try frame.bytes.withUnsafeBytes { bytes in
      isRead
        ? try encoder.encode(
          bytes: bytes, format: frame.format, exif: EXIFMetadataTests.full,
          renditions: renditions, stripeCount: stripeCount, reading: { xmp })
        : try encoder.encode(
          bytes: bytes, format: frame.format, exif: EXIFMetadataTests.full,
          renditions: renditions, stripeCount: stripeCount, xmp: { _ in xmp })
    }
  }

  @Test func `exiftool reads all properties, and finds no fault`() throws {
    let picture = try #require(
      try encode(Array(PhotoEncoderTests.three.prefix(1)), Self.metadata()).first)
    #expect(try ExifTool.complaints(picture.bytes) == [])
    let tags = try ExifTool.tags(picture.bytes)
    #expect(tags["XMP-platen:OrientationSource"] == "text")
    #expect(tags["XMP-platen:Skew"].flatMap(Double.init) == -0.4213)
    #expect(tags["XMP-platen:LetterHeight"].flatMap(Double.init) == 21.5)
    let expected = [
      ("Outline", "0.1 0.2, 0.9 0.2, 0.9 0.8, 0.1 0.8"), ("Warnings", "glare, pageCrooked"),
      ("RegionAppliedToDimensionsW", "640"), ("RegionAppliedToDimensionsH", "480"),
      ("RegionAreaX", "0.5, 0.5"), ("RegionAreaY", "0.125, 0.375"), ("RegionAreaW", "0.5, 0.5"),
      ("RegionAreaH", "0.25, 0.25"), ("RegionAreaUnit", "normalized, normalized"),
    ]
    for (tag, text) in expected { #expect(try read(tag, of: picture.bytes) == text) }
    #expect(tags["IFD0:Orientation"] == "6", "Exif is as without XMP")
  }

  /// Returns the text of an XMP property as exiftool shows it.
  private func read(_ tag: String, of picture: [UInt8]) throws -> String {
    let shown = try Tool.withFile(picture) {
      try Tool.output(of: "exiftool", ["-n", "-s3", "-XMP:\(tag)", $0])
    }
    return String(decoding: shown, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
  }

  @Test(arguments: [1, 3])
  func `a picture is the same whether its page is read beside or before`(
    stripeCount: Int
  ) throws {
    let before = try encode(PhotoEncoderTests.three, Self.metadata(), stripeCount: stripeCount)
    let beside = try encode(
      PhotoEncoderTests.three, Self.metadata(), stripeCount: stripeCount, isRead: true)
    #expect(before.count == 3 && before == beside)
    for picture in beside { #expect(try ExifTool.complaints(picture.bytes) == []) }
    let small = try ExifTool.tags(try #require(beside.last).bytes)
    #expect(small["XMP-platen:LetterHeight"] == nil, "the letters of the frame are larger")
    #expect(small["XMP-mwg-rs:RegionAppliedToDimensionsW"] == "320")
  }

  @Test(arguments: [false, true])
  func `a byte budget holds with the packet`(isRead: Bool) throws {
    let budget = 40_000...50_000
    let settings = RenditionSettings(
      rendition: .full, quality: .byteBudget(budget, startingAt: 85))
    let picture = try #require(
      try encode([settings], Self.metadata(regions: 32), isRead: isRead).first)
    #expect(picture.budgetFit != .above && picture.bytes.count <= budget.upperBound)
    #expect(try ExifTool.tags(picture.bytes)["XMP-platen:OrientationSource"] == "text")
  }

  @Test func `a packet that is too long loses its regions, and the picture nothing`() throws {
    let metadata = try #require(Self.metadata(regions: 1000))
    #expect(metadata.packet(for: .full, size: Self.size).count < 60_000)
    let picture = try #require(
      try encode(Array(PhotoEncoderTests.three.prefix(1)), metadata).first)
    #expect(try ExifTool.complaints(picture.bytes) == [])
    let tags = try ExifTool.tags(picture.bytes)
    #expect(tags["XMP-platen:OrientationSource"] == "text")
    #expect(tags["XMP-mwg-rs:RegionAreaX"] == nil)
  }

  @Test func `a picture without facts about its page has no packet`() throws {
    #expect(XMPMetadata(orientationSource: nil, page: nil) == nil)
    let plain = try encode(Array(PhotoEncoderTests.three.prefix(1)), nil)
    let tags = try ExifTool.tags(try #require(plain.first).bytes)
    #expect(!tags.keys.contains { $0.hasPrefix("XMP") })
  }
}
