import Devices

/// The tags of a JPEG image, by the numbers of Exif 2.32.
private enum Tag {
  static let compression: UInt32 = 0x0103
  static let yCbCrPositioning: UInt32 = 0x0213
  static let componentsConfiguration: UInt32 = 0x9101
  static let flashpixVersion: UInt32 = 0xA000
  static let colorSpace: UInt32 = 0xA001
  static let pixelXDimension: UInt32 = 0xA002
  static let pixelYDimension: UInt32 = 0xA003
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
    let entries = try captureEntries() + formatEntries(of: header)
    let directories = try EXIFDirectories()
    for entry in entries { try directories.add(entry) }
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
    try directories.add(EXIFEntry(Tag.compression, .short(6), in: .thumbnail))
    try directories.add(orientationEntry(in: .thumbnail))
    for entry in resolutionEntries(nil, in: .thumbnail) { try directories.add(entry) }
    try directories.setThumbnail(thumbnail)
  }

  private func formatEntries(of header: JPEGFrameHeader) -> [EXIFEntry] {
    // The components are Y, Cb, Cr and none; gray has only Y.
    let components: [UInt8] = header.components.count == 1 ? [1, 0, 0, 0] : [1, 2, 3, 0]
    return [
      // The value 1 means centered, as in JFIF and as decoders assume.
      EXIFEntry(Tag.yCbCrPositioning, .short(1), in: .image),
      EXIFEntry(Tag.flashpixVersion, .bytes(Array("0100".utf8)), in: .exif),
      EXIFEntry(Tag.componentsConfiguration, .bytes(components), in: .exif),
      EXIFEntry(Tag.colorSpace, .short(1), in: .exif),
      EXIFEntry(Tag.pixelXDimension, .long(UInt32(header.size.width)), in: .exif),
      EXIFEntry(Tag.pixelYDimension, .long(UInt32(header.size.height)), in: .exif),
    ]
  }
}
