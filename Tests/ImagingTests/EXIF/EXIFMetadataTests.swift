import Devices
import Imaging
import Testing
import TestSupport

struct EXIFMetadataTests {
  static let full = EXIFMetadata(
    orientation: .right, make: "Platen", model: "Scanning rig", software: "platend 1.2.3",
    // 2026-03-01 09:08:07.045 at +05:30
    captured: WallClockTime(
      nanosecondsSince1970: 1_772_336_287_045_678_901, utcOffsetMinutes: 330),
    clockIsSynchronized: true, exposureDuration: .microseconds(8333), isoSpeed: 250,
    lensPosition: 2.5, imageUniqueID: "0123456789ABCDEF0123456789abcdef", rigID: "east-3",
    pressNumber: 42, selectionError: .microseconds(-3214))

  static func tags(_ metadata: EXIFMetadata) throws -> [String: String] {
    try ExifTool.tags(JPEGFile.assemble(jpeg: JPEGFileTests.picture(.yuv420), exif: metadata))
  }

  @Test
  func `exiftool reads every tag back`() throws {
    let tags = try Self.tags(Self.full)
    let wanted = [
      "IFD0:Make": "Platen", "IFD0:Model": "Scanning rig", "IFD0:Software": "platend 1.2.3",
      "IFD0:Orientation": "6", "IFD0:XResolution": "72", "IFD0:YResolution": "72",
      "IFD0:ResolutionUnit": "1", "IFD0:YCbCrPositioning": "1",
      "IFD0:ModifyDate": "2026:03:01 09:08:07",
      "ExifIFD:DateTimeOriginal": "2026:03:01 09:08:07",
      "ExifIFD:CreateDate": "2026:03:01 09:08:07", "ExifIFD:SubSecTime": "045",
      "ExifIFD:SubSecTimeOriginal": "045", "ExifIFD:SubSecTimeDigitized": "045",
      "ExifIFD:OffsetTime": "+05:30", "ExifIFD:OffsetTimeOriginal": "+05:30",
      "ExifIFD:OffsetTimeDigitized": "+05:30", "ExifIFD:ExposureTime": "0.008333",
      "ExifIFD:ISO": "250", "ExifIFD:SensitivityType": "2",
      "ExifIFD:RecommendedExposureIndex": "250", "ExifIFD:ExifVersion": "0232",
      "ExifIFD:FlashpixVersion": "0100", "ExifIFD:ComponentsConfiguration": "1 2 3 0",
      "ExifIFD:ColorSpace": "1", "ExifIFD:ExifImageWidth": "64",
      "ExifIFD:ExifImageHeight": "48", "ExifIFD:SubjectDistance": "0.4",
      "ExifIFD:ImageUniqueID": "0123456789abcdef0123456789abcdef",
      "ExifIFD:SerialNumber": "east-3",
      "ExifIFD:UserComment":
        "press: 42; rig: east-3; selection error: -3.214 ms; clock: synchronized",
      "Composite:SubSecDateTimeOriginal": "2026:03:01 09:08:07.045+05:30",
      "File:ExifByteOrder": "II",
    ]
    for (tag, value) in wanted {
      // JSON numbers lose the leading zeros of texts that look like a number.
      let read = try #require(tags[tag], "\(tag) is missing")
      #expect(read == value || Int(read) == Int(value), "\(tag)")
    }
    let written = tags.keys.filter { $0.hasPrefix("IFD") || $0.hasPrefix("ExifIFD") }
    #expect(Set(written).subtracting(wanted.keys) == [])
  }

  @Test(arguments: ImageOrientation.allCases)
  func `Every orientation is read back`(_ orientation: ImageOrientation) throws {
    var metadata = Self.full
    metadata.orientation = orientation
    #expect(try Self.tags(metadata)["IFD0:Orientation"] == "\(orientation.rawValue)")
  }

  @Test(arguments: [-2, 0, 1.5])
  func `the place in a bracket is read back`(bias: Double) throws {
    var metadata = Self.full
    metadata.exposureBias = bias
    metadata.bracketPlace = "2 of 3"
    metadata.bracketID = "0123456789abcdef0123456789abcdef"
    let tags = try Self.tags(metadata)
    #expect(tags["ExifIFD:ExposureCompensation"].flatMap { Double($0) } == bias)
    #expect(
      tags["ExifIFD:UserComment"]?.contains(
        "bracket: 2 of 3; group: 0123456789abcdef0123456789abcdef") == true)
  }

  @Test(arguments: FlashMode.allCases, [false, true])
  func `a flash is read back`(mode: FlashMode, isFired: Bool) throws {
    var metadata = Self.full
    #expect(try Self.tags(metadata)["ExifIFD:Flash"] == nil)
    metadata.flash = EXIFFlash(mode: mode, isFired: isFired)
    let file = try JPEGFile.assemble(jpeg: JPEGFileTests.picture(.yuv420), exif: metadata)
    #expect(try ExifTool.complaints(file) == [])
    let number = try #require(try ExifTool.tags(file)["ExifIFD:Flash"].flatMap { Int($0) })
    #expect((number & 1 == 1) == isFired)
    switch (mode, isFired) {
    case (.off, true): #expect(number == 1, "Exif knows no suppressed flash that fired")
    case (.off, false): #expect(number >> 3 == 2)
    case (.on, _): #expect(number >> 3 == 1)
    case (.auto, _): #expect(number >> 3 == 3)
    }
  }

  @Test
  func `the frames of an average are read back`() throws {
    var metadata = Self.full
    metadata.compositeImage = EXIFCompositeImage(sourceCount: 5, usedCount: 4)
    let file = try JPEGFile.assemble(jpeg: JPEGFileTests.picture(.yuv420), exif: metadata)
    #expect(try ExifTool.complaints(file) == [])
    let tags = try ExifTool.tags(file)
    #expect(tags["ExifIFD:CompositeImage"] == "3")
    #expect(tags["ExifIFD:CompositeImageCount"] == "5 4")
    #expect(EXIFCompositeImage(sourceCount: 5, usedCount: 1) == nil, "that is a single frame")
  }

  @Test
  func `A rotation has the orientation that undoes it`() {
    #expect(
      [0, 90, 180, 270, 45, -90, 360].map { ImageOrientation(clockwiseRotation: $0)?.rawValue }
        == [1, 6, 3, 8, nil, nil, nil])
  }

  @Test
  func `Unknown values are omitted, and an untrusted clock is reported`() throws {
    var metadata = Self.full
    metadata.exposureDuration = nil
    metadata.isoSpeed = nil
    metadata.lensPosition = nil
    metadata.selectionError = nil
    metadata.clockIsSynchronized = false
    let file = try JPEGFile.assemble(jpeg: JPEGFileTests.picture(.yuyv), exif: metadata)
    #expect(try ExifTool.complaints(file) == [])
    let tags = try ExifTool.tags(file)
    for tag in [
      "ExposureTime", "ISO", "SensitivityType", "RecommendedExposureIndex", "SubjectDistance",
    ] {
      #expect(tags["ExifIFD:" + tag] == nil)
    }
    #expect(tags["ExifIFD:DateTimeOriginal"] == "2026:03:01 09:08:07")
    #expect(
      tags["ExifIFD:UserComment"] == "press: 42; rig: east-3; clock: unsynchronized")
  }

  @Test
  func `Extreme values stay within their tags and bring no complaint`() throws {
    var metadata = Self.full
    metadata.isoSpeed = 102_400
    metadata.lensPosition = 0
    metadata.exposureDuration = .seconds(100_000)
    metadata.pressNumber = .max
    metadata.selectionError = .seconds(3600)
    metadata.captured = WallClockTime(nanosecondsSince1970: -1, utcOffsetMinutes: -570)
    metadata.make = "Müller & Söhne\n"
    let file = try JPEGFile.assemble(jpeg: JPEGFileTests.picture(.yuyv), exif: metadata)
    #expect(try ExifTool.complaints(file) == [])
    let tags = try ExifTool.tags(file)
    #expect(tags["ExifIFD:ISO"] == "65535")
    #expect(tags["ExifIFD:RecommendedExposureIndex"] == "102400")
    #expect(tags["ExifIFD:ExposureTime"] == "100000")
    #expect(tags["IFD0:Make"] == "M?ller & S?hne?")
    #expect(tags["ExifIFD:DateTimeOriginal"] == "1969:12:31 14:29:59")
    #expect(tags["ExifIFD:OffsetTimeOriginal"] == "-09:30")
    #expect(
      tags["ExifIFD:UserComment"]
        == "press: 18446744073709551615; rig: east-3; selection error: 3600000.000 ms; "
        + "clock: synchronized")
  }

  @Test
  func `A lens at infinity is written as Exif's infinity`() throws {
    var metadata = Self.full
    metadata.lensPosition = 0
    let contents = try metadata.segmentContents(
      for: JPEGFile.frameHeader(of: JPEGFileTests.picture(.yuyv)))
    // Numerator 0xFFFFFFFF over 1, little endian.
    let infinity: [UInt8] = [0xFF, 0xFF, 0xFF, 0xFF, 1, 0, 0, 0]
    #expect((0...contents.count - 8).contains { Array(contents[$0..<$0 + 8]) == infinity })
  }

  @Test(arguments: ["", "abc", String(repeating: "g", count: 32)])
  func `An invalid unique ID is refused`(_ text: String) throws {
    var metadata = Self.full
    metadata.imageUniqueID = text
    let header = try JPEGFile.frameHeader(of: JPEGFileTests.picture(.yuyv))
    let error = #expect(throws: ImagingError.self) { try metadata.segmentContents(for: header) }
    #expect(error?.code == .unsupported)
  }

  @Test
  func `Text ends with a NUL, and directories are in order with the right counts`() throws {
    let contents = try Self.full.segmentContents(
      for: JPEGFile.frameHeader(of: JPEGFileTests.picture(.yuyv)))
    // exiftool forgives a missing NUL, so the TIFF structure is walked here by hand.
    let tiff = Array(contents.dropFirst(6))
    func number(_ start: Int, _ count: Int) -> Int {
      (0..<count).reduce(0) { $0 | Int(tiff[start + $1]) << (8 * $1) }
    }
    #expect(Array(tiff[0..<4]) == [0x49, 0x49, 42, 0])
    var directories = [number(4, 4)]
    var texts = 0
    while let directory = directories.popLast() {
      var previous = 0
      for index in 0..<number(directory, 2) {
        let entry = directory + 2 + 12 * index
        let (tag, format, count) = (number(entry, 2), number(entry + 2, 2), number(entry + 4, 4))
        #expect(tag > previous)
        previous = tag
        if tag == 0x8769 { directories.append(number(entry + 8, 4)) }
        guard format == 2 else { continue }
        texts += 1
        let start = count <= 4 ? entry + 8 : number(entry + 8, 4)
        let text = tiff[start..<start + count]
        #expect(text.firstIndex(of: 0) == start + count - 1, "tag \(String(tag, radix: 16))")
      }
    }
    #expect(texts == 14)
  }
}
