import CTIFF
import Devices

extension TIFFFile {
  /// Sets a tag of the current directory; empty text is left out.
  ///
  /// - Throws: ``ImagingError``, code `encoderFailed`.
  func set(_ tag: Int32, _ value: EXIFEntry.Value) throws(ImagingError) {
    switch value {
    case .text(let text):
      if text.isEmpty { return }
      try set(tag, values: EXIFEntry.ascii(text) + [0])
    case .bytes(let bytes):
      try set(tag, values: bytes)
    case .short(let number):
      try check(Self.name(tag)) { CTIFF_setShort($0, UInt32(tag), number) == 1 }
    case .shorts(let numbers):
      try set(tag, values: numbers)
    case .long(let number):
      try check(Self.name(tag)) { CTIFF_setLong($0, UInt32(tag), number) == 1 }
    case .rational(let fraction):
      try set(tag, real: Double(fraction.numerator) / Double(fraction.denominator))
    case .signedRational(let hundredths):
      try set(tag, real: Double(hundredths) / 100)
    }
  }

  /// Sets a tag whose value libtiff makes a fraction.
  func set(_ tag: Int32, real value: Double) throws(ImagingError) {
    try check(Self.name(tag)) { CTIFF_setReal($0, UInt32(tag), value) == 1 }
  }

  /// Sets a tag whose values libtiff makes fractions.
  func set(_ tag: Int32, reals values: [Double]) throws(ImagingError) {
    try set(tag, values: values.map { Float($0) })
  }

  /// Sets a tag with several values of the type in libtiff's table.
  func set<Value: BitwiseCopyable>(_ tag: Int32, values: [Value]) throws(ImagingError) {
    try check(Self.name(tag)) { handle in
      values.withUnsafeBytes { bytes in
        guard let start = bytes.baseAddress else { return false }
        return CTIFF_setValues(handle, UInt32(tag), UInt32(values.count), start) == 1
      }
    }
  }

  /// Writes the Exif directory into a new file, and begins IFD0 with a pointer to it.
  func writeEXIF(_ entries: [EXIFEntry]) throws(ImagingError) {
    try check("an Exif directory") { TIFFCreateEXIFDirectory($0) == 0 }
    for entry in entries { try set(Int32(entry.tag), entry.value) }
    var offset: UInt64 = 0
    try check("the Exif directory") { TIFFWriteCustomDirectory($0, &offset) == 1 }
    try check("a new directory") { TIFFCreateDirectory($0) == 0 }
    try check("the Exif pointer") { CTIFF_setOffset($0, UInt32(TIFFTAG_EXIFIFD), offset) == 1 }
  }

  /// Sets the tags of an image without compression in the current directory.
  func setImage(
    _ size: FrameSize, bits: Int, samplesPerPixel: Int, photometric: Int32, rowsPerStrip: Int,
    isReduced: Bool
  ) throws(ImagingError) {
    try set(TIFFTAG_SUBFILETYPE, .long(isReduced ? UInt32(FILETYPE_REDUCEDIMAGE) : 0))
    try set(TIFFTAG_IMAGEWIDTH, .long(UInt32(size.width)))
    try set(TIFFTAG_IMAGELENGTH, .long(UInt32(size.height)))
    try set(TIFFTAG_BITSPERSAMPLE, .short(UInt16(bits)))
    try set(TIFFTAG_COMPRESSION, .short(UInt16(COMPRESSION_NONE)))
    try set(TIFFTAG_PHOTOMETRIC, .short(UInt16(photometric)))
    try set(TIFFTAG_SAMPLESPERPIXEL, .short(UInt16(samplesPerPixel)))
    try set(TIFFTAG_PLANARCONFIG, .short(UInt16(PLANARCONFIG_CONTIG)))
    try set(TIFFTAG_ROWSPERSTRIP, .long(UInt32(rowsPerStrip)))
  }

  /// Writes a strip of the current image, in the file's order of bytes.
  func writeStrip(_ index: Int, _ bytes: [UInt8]) throws(ImagingError) {
    try check("strip \(index)") { handle in
      bytes.withUnsafeBytes { bytes in
        // libtiff only reads the bytes, as its file has the order of this machine.
        let start = UnsafeMutableRawPointer(mutating: bytes.baseAddress)
        return TIFFWriteRawStrip(handle, UInt32(index), start, tmsize_t(bytes.count)) == bytes.count
      }
    }
  }

  /// Writes the current directory and begins the next one.
  func finishDirectory() throws(ImagingError) {
    try check("the directory") { TIFFWriteDirectory($0) == 1 }
  }

  private static func name(_ tag: Int32) -> String { "tag \(tag)" }
}
