/// A converter of single bytes to characters.
struct UTF8Assembler {
  /// The role of a byte.
  enum Step: Sendable, Hashable {
    /// The byte completes a character.
    case scalar(Unicode.Scalar)
    /// The byte belongs to a character that is not complete yet.
    case partial
    /// The byte is invalid here.
    case invalid
  }

  private var bytes: [UInt8] = []
  private var length = 0

  /// Whether a character has begun but is not complete.
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
      // The next character has begun too early; both are lost, and so is the line.
      bytes = []
      return .invalid
    }
    bytes.append(byte)
    guard bytes.count == length else { return .partial }
    defer { bytes = [] }
    // This check finds overlong forms and surrogates.
    guard let scalar = String(validating: bytes, as: UTF8.self)?.unicodeScalars.first
    else { return .invalid }
    return .scalar(scalar)
  }
}
