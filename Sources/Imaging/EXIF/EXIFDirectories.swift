import CEXIF

/// The Exif directories of a picture, filled through libexif.
///
/// This type gives the tag, format and count of every value. libexif's own tables differ between
/// its versions and are not used.
struct EXIFDirectories: ~Copyable {
  private static let byteOrder = EXIF_BYTE_ORDER_INTEL
  private let memory: OpaquePointer
  private let data: UnsafeMutablePointer<ExifData>

  /// The kinds of directories.
  enum Directory {
    /// IFD0, with the image's properties.
    case image
    /// The Exif IFD, with the facts of the capture.
    case exif
    /// IFD1, with the thumbnail's properties.
    case thumbnail
  }

  /// Makes empty directories (`exif_data_new_mem`).
  ///
  /// - Throws: ``ImagingError``, code `outOfMemory`.
  init() throws(ImagingError) {
    guard let memory = exif_mem_new_default() else { throw Self.outOfMemory }
    guard let data = exif_data_new_mem(memory) else {
      exif_mem_unref(memory)
      throw Self.outOfMemory
    }
    self.memory = memory
    self.data = data
    exif_data_set_byte_order(data, Self.byteOrder)
  }

  deinit {
    exif_data_unref(data)
    exif_mem_unref(memory)
  }

  /// Adds text with a NUL; other than printable ASCII characters become `?`, empty text is skipped.
  func add(_ text: String, tag: UInt32, to directory: Directory) throws(ImagingError) {
    if text.isEmpty { return }
    let bytes = Self.ascii(text) + [0]
    try add(bytes, count: bytes.count, format: EXIF_FORMAT_ASCII, tag: tag, to: directory)
  }

  /// Adds bytes with a meaning that the tag defines.
  func add(_ bytes: [UInt8], tag: UInt32, to directory: Directory) throws(ImagingError) {
    try add(bytes, count: bytes.count, format: EXIF_FORMAT_UNDEFINED, tag: tag, to: directory)
  }

  /// Adds a 16-bit number.
  func add(short value: UInt16, tag: UInt32, to directory: Directory) throws(ImagingError) {
    var bytes = [UInt8](repeating: 0, count: 2)
    exif_set_short(&bytes, Self.byteOrder, value)
    try add(bytes, count: 1, format: EXIF_FORMAT_SHORT, tag: tag, to: directory)
  }

  /// Adds a 32-bit number.
  func add(long value: UInt32, tag: UInt32, to directory: Directory) throws(ImagingError) {
    var bytes = [UInt8](repeating: 0, count: 4)
    exif_set_long(&bytes, Self.byteOrder, value)
    try add(bytes, count: 1, format: EXIF_FORMAT_LONG, tag: tag, to: directory)
  }

  /// Adds a fraction.
  func add(_ value: EXIFRational, tag: UInt32, to directory: Directory) throws(ImagingError) {
    var bytes = [UInt8](repeating: 0, count: 8)
    exif_set_rational(
      &bytes, Self.byteOrder,
      ExifRational(numerator: value.numerator, denominator: value.denominator))
    try add(bytes, count: 1, format: EXIF_FORMAT_RATIONAL, tag: tag, to: directory)
  }

  /// Puts a thumbnail after the directories.
  ///
  /// libexif writes JPEGInterchangeFormat and JPEGInterchangeFormatLength, with which IFD1 points
  /// to the thumbnail.
  func setThumbnail(_ jpeg: [UInt8]) throws(ImagingError) {
    guard let storage = exif_mem_alloc(memory, ExifLong(clamping: jpeg.count)) else {
      throw Self.outOfMemory
    }
    storage.copyMemory(from: jpeg, byteCount: jpeg.count)
    exif_mem_free(memory, data.pointee.data)
    data.pointee.data = storage.assumingMemoryBound(to: UInt8.self)
    data.pointee.size = UInt32(clamping: jpeg.count)
  }

  /// Writes the contents of the APP1 segment: `Exif`, two NULs and the directories.
  ///
  /// The C call is `exif_data_save_data`.
  ///
  /// - Throws: ``ImagingError``, code `metadataTooLarge`.
  func serialized() throws(ImagingError) -> [UInt8] {
    var start: UnsafeMutablePointer<UInt8>?
    var count: UInt32 = 0
    exif_data_save_data(data, &start, &count)
    guard let start else {
      throw ImagingError(
        .metadataTooLarge, subject: "Exif segment", problem: "could not be written",
        cause: "its directories are larger than a JPEG segment")
    }
    defer { exif_mem_free(memory, start) }
    return Array(UnsafeBufferPointer(start: start, count: Int(count)))
  }

  private func add(
    _ bytes: [UInt8], count: Int, format: ExifFormat, tag: UInt32, to directory: Directory
  ) throws(ImagingError) {
    guard let entry = exif_entry_new_mem(memory) else { throw Self.outOfMemory }
    // The directory holds its own reference.
    defer { exif_entry_unref(entry) }
    guard let storage = exif_mem_alloc(memory, ExifLong(bytes.count)) else {
      throw Self.outOfMemory
    }
    storage.copyMemory(from: bytes, byteCount: bytes.count)
    entry.pointee.tag = ExifTag(rawValue: tag)
    entry.pointee.format = format
    entry.pointee.components = UInt(count)
    entry.pointee.data = storage.assumingMemoryBound(to: UInt8.self)
    entry.pointee.size = UInt32(bytes.count)
    switch directory {
    case .image: exif_content_add_entry(data.pointee.ifd.0, entry)
    case .exif: exif_content_add_entry(data.pointee.ifd.2, entry)
    case .thumbnail: exif_content_add_entry(data.pointee.ifd.1, entry)
    }
  }

  /// Returns the text's bytes, with everything but printable ASCII replaced by `?`.
  static func ascii(_ text: String) -> [UInt8] {
    text.unicodeScalars.map { scalar in
      (0x20...0x7E).contains(scalar.value) ? UInt8(scalar.value) : UInt8(ascii: "?")
    }
  }

  private static var outOfMemory: ImagingError {
    ImagingError(.outOfMemory, subject: "Exif segment", problem: "could not be written")
  }
}
