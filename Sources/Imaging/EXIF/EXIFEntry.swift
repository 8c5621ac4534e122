/// A tag with its value, independent of the library that writes it.
struct EXIFEntry {
  /// The number of the tag Orientation, which is written and read.
  static let orientation: UInt32 = 0x0112

  /// The kinds of directories.
  enum Directory {
    /// IFD0, with the image's properties.
    case image
    /// The Exif IFD, with the facts of the capture.
    case exif
    /// IFD1, with the thumbnail's properties.
    case thumbnail
  }

  /// The value of a tag, in the format that the tag requires.
  enum Value {
    /// Text, stored in ASCII with a NUL; empty text is not stored.
    case text(String)
    /// Bytes with a meaning that the tag defines.
    case bytes([UInt8])
    /// A 16-bit number.
    case short(UInt16)
    /// Several 16-bit numbers.
    case shorts([UInt16])
    /// A 32-bit number.
    case long(UInt32)
    /// A fraction.
    case rational(EXIFRational)
    /// A fraction with a sign, to a hundredth.
    case signedRational(hundredths: Int32)
  }

  /// The number of the tag.
  var tag: UInt32
  /// The value.
  var value: Value
  /// The directory for the tag.
  var directory: Directory

  init(_ tag: UInt32, _ value: Value, in directory: Directory) {
    self.tag = tag
    self.value = value
    self.directory = directory
  }

  /// Returns the text's bytes, with everything but printable ASCII replaced by `?`.
  static func ascii(_ text: String) -> [UInt8] {
    text.unicodeScalars.map { scalar in
      (0x20...0x7E).contains(scalar.value) ? UInt8(scalar.value) : UInt8(ascii: "?")
    }
  }
}
