import Devices

/// The tags, by the numbers of Exif 2.32; libexif has no names for some of them.
private enum Tag {
  static let compression: UInt32 = 0x0103
  static let make: UInt32 = 0x010F
  static let model: UInt32 = 0x0110
  static let orientation: UInt32 = 0x0112
  static let xResolution: UInt32 = 0x011A
  static let yResolution: UInt32 = 0x011B
  static let resolutionUnit: UInt32 = 0x0128
  static let software: UInt32 = 0x0131
  static let dateTime: UInt32 = 0x0132
  static let yCbCrPositioning: UInt32 = 0x0213
  static let exposureTime: UInt32 = 0x829A
  static let photographicSensitivity: UInt32 = 0x8827
  static let sensitivityType: UInt32 = 0x8830
  static let recommendedExposureIndex: UInt32 = 0x8832
  static let exifVersion: UInt32 = 0x9000
  static let dateTimeOriginal: UInt32 = 0x9003
  static let dateTimeDigitized: UInt32 = 0x9004
  static let offsetTime: UInt32 = 0x9010
  static let offsetTimeOriginal: UInt32 = 0x9011
  static let offsetTimeDigitized: UInt32 = 0x9012
  static let componentsConfiguration: UInt32 = 0x9101
  static let subjectDistance: UInt32 = 0x9206
  static let userComment: UInt32 = 0x9286
  static let subSecTime: UInt32 = 0x9290
  static let subSecTimeOriginal: UInt32 = 0x9291
  static let subSecTimeDigitized: UInt32 = 0x9292
  static let flashpixVersion: UInt32 = 0xA000
  static let colorSpace: UInt32 = 0xA001
  static let pixelXDimension: UInt32 = 0xA002
  static let pixelYDimension: UInt32 = 0xA003
  static let imageUniqueID: UInt32 = 0xA420
  static let bodySerialNumber: UInt32 = 0xA431
}

extension EXIFMetadata {
  /// Makes the contents of an image's APP1 segment: `Exif`, two NULs and a TIFF structure.
  ///
  /// Text is written in ASCII; other characters become `?`. A thumbnail stands after the
  /// directories, and IFD1 describes it (Exif 2.32, 4.5.5 and 4.6.9).
  ///
  /// - Parameters:
  ///   - header: the image's frame header.
  ///   - thumbnail: a baseline JPEG image without application segments and restart markers, from
  ///     ``JPEGFile/thumbnail(from:)``; `nil` for none.
  /// - Throws: ``ImagingError``: `unsupported` when ``imageUniqueID`` is not 32 hexadecimal
  ///   digits, `metadataTooLarge`, or `outOfMemory`.
  package func segmentContents(
    for header: JPEGFrameHeader, thumbnail: [UInt8]? = nil
  ) throws(ImagingError) -> [UInt8] {
    guard imageUniqueID.utf8.count == 32, imageUniqueID.allSatisfy(\.isHexDigit) else {
      throw ImagingError(
        .unsupported, subject: imageUniqueID, problem: "cannot be an image's unique ID",
        cause: "Exif wants 32 hexadecimal digits")
    }
    let directories = try EXIFDirectories()
    try addImage(to: directories)
    try addTimes(to: directories)
    try addExposure(to: directories)
    try addFormat(header, to: directories)
    try directories.add(imageUniqueID.lowercased(), tag: Tag.imageUniqueID, to: .exif)
    try directories.add(rigID, tag: Tag.bodySerialNumber, to: .exif)
    // The first eight bytes name the character code (Exif 2.32, table 9).
    try directories.add(
      Array("ASCII\0\0\0".utf8) + EXIFDirectories.ascii(comment), tag: Tag.userComment, to: .exif)
    if let thumbnail { try add(thumbnail, to: directories) }
    return try directories.serialized()
  }

  private func add(
    _ thumbnail: [UInt8], to directories: borrowing EXIFDirectories
  ) throws(ImagingError) {
    // A segment cannot hold more, even without other contents.
    guard thumbnail.count <= 0xFFFF else {
      throw ImagingError(
        .metadataTooLarge, subject: "Exif thumbnail", problem: "does not fit into a JPEG segment",
        cause: "\(thumbnail.count) bytes where 65535 is more than the most")
    }
    // The value 6 means JPEG.
    try directories.add(short: 6, tag: Tag.compression, to: .thumbnail)
    // The thumbnail has the picture's orientation.
    try directories.add(short: orientation.rawValue, tag: Tag.orientation, to: .thumbnail)
    try add(resolution: nil, to: .thumbnail, of: directories)
    try directories.setThumbnail(thumbnail)
  }

  private func addImage(to directories: borrowing EXIFDirectories) throws(ImagingError) {
    try directories.add(make, tag: Tag.make, to: .image)
    try directories.add(model, tag: Tag.model, to: .image)
    try directories.add(software, tag: Tag.software, to: .image)
    try directories.add(short: orientation.rawValue, tag: Tag.orientation, to: .image)
    try add(
      resolution: dotsPerInch.flatMap { EXIFRational(dotsPerInch: $0) }, to: .image,
      of: directories)
    // The value 1 means centered, as in JFIF and as decoders assume.
    try directories.add(short: 1, tag: Tag.yCbCrPositioning, to: .image)
  }

  /// Adds a resolution in pixels per inch; `nil` claims none.
  ///
  /// The three tags are mandatory, and 72 is their default for an unknown resolution (Exif 2.32,
  /// 4.6.5). The unit 1 of TIFF, none, says that the number is no resolution. Readers that know only
  /// inches and centimeters find the default.
  private func add(
    resolution: EXIFRational?, to directory: EXIFDirectories.Directory,
    of directories: borrowing EXIFDirectories
  ) throws(ImagingError) {
    let number = resolution ?? EXIFRational(72, 1)
    try directories.add(number, tag: Tag.xResolution, to: directory)
    try directories.add(number, tag: Tag.yResolution, to: directory)
    try directories.add(
      short: resolution == nil ? 1 : 2, tag: Tag.resolutionUnit, to: directory)
  }

  private func addTimes(to directories: borrowing EXIFDirectories) throws(ImagingError) {
    try directories.add(captured.exifDateTime, tag: Tag.dateTime, to: .image)
    for tag in [Tag.dateTimeOriginal, Tag.dateTimeDigitized] {
      try directories.add(captured.exifDateTime, tag: tag, to: .exif)
    }
    for tag in [Tag.subSecTime, Tag.subSecTimeOriginal, Tag.subSecTimeDigitized] {
      try directories.add(captured.exifSubSecond, tag: tag, to: .exif)
    }
    for tag in [Tag.offsetTime, Tag.offsetTimeOriginal, Tag.offsetTimeDigitized] {
      try directories.add(captured.exifOffset, tag: tag, to: .exif)
    }
  }

  private func addExposure(to directories: borrowing EXIFDirectories) throws(ImagingError) {
    if let exposureDuration, let exposure = EXIFRational(exposure: exposureDuration) {
      try directories.add(exposure, tag: Tag.exposureTime, to: .exif)
    }
    if let isoSpeed, isoSpeed > 0 {
      // The gains are set to expose well, so the value is a recommended exposure index (type 2).
      // The 16 bits of PhotographicSensitivity end at 65535, and the index has 32 bits.
      try directories.add(
        short: UInt16(clamping: isoSpeed), tag: Tag.photographicSensitivity, to: .exif)
      try directories.add(short: 2, tag: Tag.sensitivityType, to: .exif)
      try directories.add(
        long: UInt32(clamping: isoSpeed), tag: Tag.recommendedExposureIndex, to: .exif)
    }
    if let lensPosition, let distance = EXIFRational(subjectDistanceAtDioptres: lensPosition) {
      try directories.add(distance, tag: Tag.subjectDistance, to: .exif)
    }
  }

  private func addFormat(
    _ header: JPEGFrameHeader, to directories: borrowing EXIFDirectories
  ) throws(ImagingError) {
    try directories.add(Array("0232".utf8), tag: Tag.exifVersion, to: .exif)
    try directories.add(Array("0100".utf8), tag: Tag.flashpixVersion, to: .exif)
    // The components are Y, Cb, Cr and none; gray has only Y.
    let components: [UInt8] = header.components.count == 1 ? [1, 0, 0, 0] : [1, 2, 3, 0]
    try directories.add(components, tag: Tag.componentsConfiguration, to: .exif)
    try directories.add(short: 1, tag: Tag.colorSpace, to: .exif)
    try directories.add(long: UInt32(header.size.width), tag: Tag.pixelXDimension, to: .exif)
    try directories.add(long: UInt32(header.size.height), tag: Tag.pixelYDimension, to: .exif)
  }
}
