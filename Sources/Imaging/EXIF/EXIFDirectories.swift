import CEXIF

/// The Exif directories of a picture, filled through libexif.
///
/// This type gives the tag, format and count of every value. libexif's own tables differ between
/// its versions and are not used.
struct EXIFDirectories: ~Copyable {
  private static let byteOrder = EXIF_BYTE_ORDER_INTEL
  private let memory: OpaquePointer
  private let data: UnsafeMutablePointer<ExifData>

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

  /// Adds an entry; empty text is skipped.
  func add(_ entry: EXIFEntry) throws(ImagingError) {
    switch entry.value {
    case .text(let text):
      if text.isEmpty { return }
      let bytes = EXIFEntry.ascii(text) + [0]
      try add(bytes, count: bytes.count, format: EXIF_FORMAT_ASCII, for: entry)
    case .bytes(let bytes):
      try add(bytes, count: bytes.count, format: EXIF_FORMAT_UNDEFINED, for: entry)
    case .short(let number):
      var bytes = [UInt8](repeating: 0, count: 2)
      exif_set_short(&bytes, Self.byteOrder, number)
      try add(bytes, count: 1, format: EXIF_FORMAT_SHORT, for: entry)
    case .shorts(let numbers):
      // The order of bytes is Intel's.
      let bytes = numbers.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
      try add(bytes, count: numbers.count, format: EXIF_FORMAT_SHORT, for: entry)
    case .long(let number):
      var bytes = [UInt8](repeating: 0, count: 4)
      exif_set_long(&bytes, Self.byteOrder, number)
      try add(bytes, count: 1, format: EXIF_FORMAT_LONG, for: entry)
    case .rational(let fraction):
      var bytes = [UInt8](repeating: 0, count: 8)
      exif_set_rational(
        &bytes, Self.byteOrder,
        ExifRational(numerator: fraction.numerator, denominator: fraction.denominator))
      try add(bytes, count: 1, format: EXIF_FORMAT_RATIONAL, for: entry)
    case .signedRational(let hundredths):
      var bytes = [UInt8](repeating: 0, count: 8)
      exif_set_srational(
        &bytes, Self.byteOrder, ExifSRational(numerator: hundredths, denominator: 100))
      try add(bytes, count: 1, format: EXIF_FORMAT_SRATIONAL, for: entry)
    }
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
    _ bytes: [UInt8], count: Int, format: ExifFormat, for entry: EXIFEntry
  ) throws(ImagingError) {
    guard let stored = exif_entry_new_mem(memory) else { throw Self.outOfMemory }
    // The directory holds its own reference.
    defer { exif_entry_unref(stored) }
    guard let storage = exif_mem_alloc(memory, ExifLong(bytes.count)) else {
      throw Self.outOfMemory
    }
    storage.copyMemory(from: bytes, byteCount: bytes.count)
    stored.pointee.tag = ExifTag(rawValue: entry.tag)
    stored.pointee.format = format
    stored.pointee.components = UInt(count)
    stored.pointee.data = storage.assumingMemoryBound(to: UInt8.self)
    stored.pointee.size = UInt32(bytes.count)
    switch entry.directory {
    case .image: exif_content_add_entry(data.pointee.ifd.0, stored)
    case .exif: exif_content_add_entry(data.pointee.ifd.2, stored)
    case .thumbnail: exif_content_add_entry(data.pointee.ifd.1, stored)
    }
  }

  private static var outOfMemory: ImagingError {
    ImagingError(.outOfMemory, subject: "Exif segment", problem: "could not be written")
  }
}
