/// The tags, by the numbers of Exif 2.32; libexif has no names for some of them.
private enum Tag {
  static let make: UInt32 = 0x010F
  static let model: UInt32 = 0x0110
  static let xResolution: UInt32 = 0x011A
  static let yResolution: UInt32 = 0x011B
  static let resolutionUnit: UInt32 = 0x0128
  static let software: UInt32 = 0x0131
  static let dateTime: UInt32 = 0x0132
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
  static let exposureBiasValue: UInt32 = 0x9204
  static let subjectDistance: UInt32 = 0x9206
  static let flash: UInt32 = 0x9209
  static let userComment: UInt32 = 0x9286
  static let subSecTime: UInt32 = 0x9290
  static let subSecTimeOriginal: UInt32 = 0x9291
  static let subSecTimeDigitized: UInt32 = 0x9292
  static let imageUniqueID: UInt32 = 0xA420
  static let bodySerialNumber: UInt32 = 0xA431
  static let compositeImage: UInt32 = 0xA460
  static let sourceImageNumberOfCompositeImage: UInt32 = 0xA461
}

extension EXIFMetadata {
  /// Makes the entries that describe the capture in a file of any format.
  ///
  /// - Throws: ``ImagingError``, code `unsupported`, when ``imageUniqueID`` is not 32 hexadecimal
  ///   digits.
  func captureEntries() throws(ImagingError) -> [EXIFEntry] {
    guard imageUniqueID.utf8.count == 32, imageUniqueID.allSatisfy(\.isHexDigit) else {
      throw ImagingError(
        .unsupported, subject: imageUniqueID, problem: "cannot be an image's unique ID",
        cause: "Exif wants 32 hexadecimal digits")
    }
    var entries: [EXIFEntry] = [
      EXIFEntry(Tag.make, .text(make), in: .image),
      EXIFEntry(Tag.model, .text(model), in: .image),
      EXIFEntry(Tag.software, .text(software), in: .image),
      EXIFEntry(Tag.exifVersion, .bytes(Array("0232".utf8)), in: .exif),
      EXIFEntry(Tag.imageUniqueID, .text(imageUniqueID.lowercased()), in: .exif),
      EXIFEntry(Tag.bodySerialNumber, .text(rigID), in: .exif),
      // The first eight bytes name the character code (Exif 2.32, table 9).
      EXIFEntry(
        Tag.userComment, .bytes(Array("ASCII\0\0\0".utf8) + EXIFEntry.ascii(comment)), in: .exif),
      orientationEntry(in: .image),
    ]
    entries += resolutionEntries(dotsPerInch.flatMap { EXIFRational(dotsPerInch: $0) }, in: .image)
    entries += timeEntries
    entries += exposureEntries
    return entries
  }

  /// Makes the entry with the orientation of the picture, which is the thumbnail's too.
  func orientationEntry(in directory: EXIFEntry.Directory) -> EXIFEntry {
    EXIFEntry(EXIFEntry.orientation, .short(orientation.rawValue), in: directory)
  }

  /// Makes the entries of a resolution in pixels per inch; `nil` claims none.
  ///
  /// The three tags are mandatory, and 72 is their default for an unknown resolution (Exif 2.32,
  /// 4.6.5). The unit 1 of TIFF, none, says that the number is no resolution. Readers that know only
  /// inches and centimeters find the default.
  func resolutionEntries(
    _ resolution: EXIFRational?, in directory: EXIFEntry.Directory
  ) -> [EXIFEntry] {
    let number = EXIFEntry.Value.rational(resolution ?? EXIFRational(72, 1))
    return [
      EXIFEntry(Tag.xResolution, number, in: directory),
      EXIFEntry(Tag.yResolution, number, in: directory),
      EXIFEntry(Tag.resolutionUnit, .short(resolution == nil ? 1 : 2), in: directory),
    ]
  }

  private var timeEntries: [EXIFEntry] {
    let time = EXIFEntry.Value.text(captured.exifDateTime)
    var entries = [EXIFEntry(Tag.dateTime, time, in: .image)]
    for tag in [Tag.dateTimeOriginal, Tag.dateTimeDigitized] {
      entries.append(EXIFEntry(tag, time, in: .exif))
    }
    for tag in [Tag.subSecTime, Tag.subSecTimeOriginal, Tag.subSecTimeDigitized] {
      entries.append(EXIFEntry(tag, .text(captured.exifSubSecond), in: .exif))
    }
    for tag in [Tag.offsetTime, Tag.offsetTimeOriginal, Tag.offsetTimeDigitized] {
      entries.append(EXIFEntry(tag, .text(captured.exifOffset), in: .exif))
    }
    return entries
  }

  private var exposureEntries: [EXIFEntry] {
    var entries: [EXIFEntry] = []
    if let exposureDuration, let exposure = EXIFRational(exposure: exposureDuration) {
      entries.append(EXIFEntry(Tag.exposureTime, .rational(exposure), in: .exif))
    }
    if let isoSpeed, isoSpeed > 0 {
      // The gains are set to expose well, so the value is a recommended exposure index (type 2).
      // The 16 bits of PhotographicSensitivity end at 65535, and the index has 32 bits.
      entries += [
        EXIFEntry(Tag.photographicSensitivity, .short(UInt16(clamping: isoSpeed)), in: .exif),
        EXIFEntry(Tag.sensitivityType, .short(2), in: .exif),
        EXIFEntry(Tag.recommendedExposureIndex, .long(UInt32(clamping: isoSpeed)), in: .exif),
      ]
    }
    if let exposureBias, exposureBias.isFinite {
      let hundredths = Int32(max(-9999, min(9999, (exposureBias * 100).rounded())))
      entries.append(
        EXIFEntry(Tag.exposureBiasValue, .signedRational(hundredths: hundredths), in: .exif))
    }
    if let flash { entries.append(EXIFEntry(Tag.flash, .short(flash.value), in: .exif)) }
    if let compositeImage {
      let counts = [compositeImage.sourceCount, compositeImage.usedCount]
      entries += [
        // The value 3 stands for a composite whose images were taken for it.
        EXIFEntry(Tag.compositeImage, .short(3), in: .exif),
        EXIFEntry(
          Tag.sourceImageNumberOfCompositeImage, .shorts(counts.map { UInt16(clamping: $0) }),
          in: .exif),
      ]
    }
    if let lensPosition, let distance = EXIFRational(subjectDistanceAtDiopters: lensPosition) {
      entries.append(EXIFEntry(Tag.subjectDistance, .rational(distance), in: .exif))
    }
    return entries
  }
}
