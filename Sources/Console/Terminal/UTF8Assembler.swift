/// Makes characters of bytes that come one by one.
struct UTF8Assembler {
  /// What a byte was.
  enum Step: Sendable, Hashable {
    /// The last one of a character.
    case scalar(Unicode.Scalar)
    /// One of a character that is not complete yet.
    case partial
    /// One that cannot be there.
    case invalid
  }

  private var bytes: [UInt8] = []
  private var length = 0

  /// Whether a character has begun that is not complete.
  var isPartial: Bool { !bytes.isEmpty }

  /// Takes a byte.
  mutating func take(_ byte: UInt8) -> Step {
    if bytes.isEmpty {
      switch byte {
      case 0x00...0x7F: return .scalar(Unicode.Scalar(byte))
      case 0xC2...0xDF: length = 2
      case 0xE0...0xEF: length = 3
      case 0xF0...0xF4: length = 4
      default: return .invalid
      }
      bytes = [byte]
      return .partial
    }
    guard 0x80...0xBF ~= byte else {
      // The next character has begun too early; it is lost with this one, and so is the line.
      bytes = []
      return .invalid
    }
    bytes.append(byte)
    guard bytes.count == length else { return .partial }
    defer { bytes = [] }
    // Overlong forms and surrogates are found here.
    guard let scalar = String(validating: bytes, as: UTF8.self)?.unicodeScalars.first
    else { return .invalid }
    return .scalar(scalar)
  }
}
