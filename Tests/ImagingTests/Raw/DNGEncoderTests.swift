import Devices
import Testing

@testable import Imaging

struct DNGEncoderTests {
  static let formats =
    RawUnpackingTests.exactFormats + [
      RawUnpackingTests.compressed,
      RawFormat(mosaic: .monochrome, bitDepth: 10, packing: .csi2),
    ]
  static let neutral = [0.5, 1, 0.625]

  static func properties(bits: Int) -> RawProperties {
    // The camera's colors are those of linear sRGB under another light.
    let rgbFromXYZ = [3.24, -1.54, -0.5, -0.97, 1.88, 0.04, 0.06, -0.2, 1.06]
    return RawProperties(
      blackLevels: [16, 16, 15, 17].map { $0 * Double(1 << (bits - 8)) },
      whiteLevel: Double(1 << bits - 1), neutral: neutral,
      colorMatrix: rgbFromXYZ.indices.map { rgbFromXYZ[$0] * neutral[$0 / 3] })
  }

  static func thumbnail() throws -> [UInt8] {
    try JPEGEncoderTests.encode(
      TestFrame(
        .rgb, .unspecified, width: 40, height: 30, paint: TestFrame.bars(width: 40, height: 30)))
  }

  static func encode(
    _ frame: RawTestFrame, properties: RawProperties? = nil, digitalGain: Double = 1
  ) throws -> [UInt8] {
    try frame.bytes.withUnsafeBytes { bytes in
      try DNGEncoder.encode(
        RawUnpacking(
          bytes, format: frame.format, size: frame.size, bytesPerRow: frame.bytesPerRow),
        properties: properties ?? Self.properties(bits: frame.format.bitDepth),
        exif: EXIFMetadataTests.full, digitalGain: digitalGain, thumbnail: thumbnail())
    }
  }

  // Rows of 97 samples end within a byte, and 150 rows are more than two strips.
  @Test(arguments: formats, [96, 97])
  func `exiftool has no complaint, and LibRaw reads every sample`(_ format: RawFormat, width: Int)
    throws
  {
    let frame = RawTestFrame(format, width: width, height: 150)
    let file = try Self.encode(frame)
    #expect(try ExifTool.complaints(file, name: "picture.dng") == [])
    var wanted = frame.rows
    if format.packing == .pispCompressed {
      wanted = try RawUnpackingTests.unpack(frame).map { $0.map { $0 >> 4 } }
    }
    #expect(try LibRaw.samples(file) == wanted)
  }

  @Test
  func `exiftool reads every tag back`() throws {
    let format = RawFormat(mosaic: .grbg, bitDepth: 12, packing: .csi2)
    let file = try Self.encode(RawTestFrame(format, width: 96, height: 70), digitalGain: 2)
    let tags = try ExifTool.tags(file, name: "picture.dng")
    let jpegTags = try EXIFMetadataTests.tags(EXIFMetadataTests.full)
    let jpegOnly = [
      "IFD0:YCbCrPositioning", "ExifIFD:FlashpixVersion", "ExifIFD:ComponentsConfiguration",
      "ExifIFD:ColorSpace", "ExifIFD:ExifImageWidth", "ExifIFD:ExifImageHeight",
    ]
    for (tag, value) in jpegTags where tag.hasPrefix("IFD0") || tag.hasPrefix("ExifIFD") {
      if jpegOnly.contains(tag) { continue }
      let read = try #require(tags[tag], "\(tag) is missing")
      if read == value { continue }
      // libtiff makes fractions of 24 bits.
      let (number, wanted) = (try #require(Double(read), "\(tag)"), try #require(Double(value)))
      #expect(abs(number - wanted) < 1e-6 * wanted, "\(tag)")
    }
    let wanted = [
      "File:FileType": "DNG", "IFD0:DNGVersion": "1 4 0 0", "IFD0:DNGBackwardVersion": "1 1 0 0",
      "IFD0:UniqueCameraModel": "Platen Scanning rig", "IFD0:SubfileType": "1",
      "IFD0:ImageWidth": "40", "IFD0:ImageHeight": "30", "IFD0:PhotometricInterpretation": "2",
      "IFD0:BaselineExposure": "1", "IFD0:CalibrationIlluminant1": "21",
      "IFD0:AsShotNeutral": "0.5 1 0.625", "SubIFD:SubfileType": "0", "SubIFD:ImageWidth": "96",
      "SubIFD:ImageHeight": "70", "SubIFD:BitsPerSample": "12", "SubIFD:Compression": "1",
      "SubIFD:PhotometricInterpretation": "32803", "SubIFD:CFARepeatPatternDim": "2 2",
      "SubIFD:CFAPattern2": "1 0 2 1", "SubIFD:BlackLevelRepeatDim": "2 2",
      "SubIFD:BlackLevel": "256 256 240 272", "SubIFD:WhiteLevel": "4095",
    ]
    for (tag, value) in wanted { #expect(tags[tag] == value, "\(tag)") }
    let matrix = tags["IFD0:ColorMatrix1"]?.split(separator: " ").compactMap { Double($0) } ?? []
    let distances = zip(matrix, Self.properties(bits: 12).colorMatrix).map { abs($0 - $1) }
    #expect(distances.count == 9 && distances.allSatisfy { $0 < 1e-6 }, "\(matrix)")
    let start = try #require(tags["IFD0:StripOffsets"].flatMap { Int($0) })
    let pixels = try RGBPicture(jpeg: Self.thumbnail()).bytes
    #expect(Array(file[start..<start + 3600]) == pixels)
  }

  @Test(arguments: [RawFormat.Mosaic.rggb, .bggr, .grbg, .gbrg])
  func `LibRaw develops a neutral object to gray`(_ mosaic: RawFormat.Mosaic) throws {
    let format = RawFormat(mosaic: mosaic, bitDepth: 12, packing: .csi2)
    let black = Self.properties(bits: 12).blackLevels
    let filters = Array(mosaic.rawValue)
    let frame = RawTestFrame(format, width: 96, height: 64) { column, row in
      let place = row % 2 * 2 + column % 2
      let color = filters[place] == "r" ? 0 : filters[place] == "g" ? 1 : 2
      return Int(black[place] + 2000 * Self.neutral[color])
    }
    let picture = try LibRaw.development(Self.encode(frame))
    let middle = picture.bytes.count / 6 * 3
    let color = picture.bytes[middle..<middle + 3]
    #expect(color.allSatisfy { (150...220).contains($0) }, "\(color)")
    #expect((color.max() ?? 255) - (color.min() ?? 0) <= 3, "\(color)")
  }

  @Test
  func `12 megapixels of 12 bits have less than 19 MB`() {
    #expect(StripPacking(bits: 12, width: 4056).bytesPerRow * 3040 < 18_600_000)
  }

  @Test
  func `Impossible properties are refused`() throws {
    let format = RawFormat(mosaic: .rggb, bitDepth: 12, packing: .none)
    let frame = RawTestFrame(format, width: 96, height: 64)
    let changes: [(inout RawProperties) -> Void] = [
      { $0.blackLevels = [1] }, { $0.blackLevels[0] = 5000 }, { $0.blackLevels[3] = -1 },
      { $0.whiteLevel = 0 }, { $0.neutral[0] = 0 }, { $0.neutral = [] },
      { $0.colorMatrix[8] = .nan }, { $0.colorMatrix.removeLast() },
    ]
    for (index, change) in changes.enumerated() {
      var properties = Self.properties(bits: 12)
      change(&properties)
      let error = #expect(throws: ImagingError.self, "change \(index)") {
        try Self.encode(frame, properties: properties)
      }
      #expect(error?.code == .unsupported, "change \(index)")
    }
  }
}
