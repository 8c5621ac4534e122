/// The characters of the names that a configuration gives to its parts.
package enum NameCharacters {
  /// `A-Z a-z 0-9 _ -`.
  case identifier
  /// `a-z 0-9 - _`.
  case lowercase
  /// `a-z 0-9 . -`.
  case bucket

  /// Returns whether a byte is one of the characters.
  package func contains(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
      UInt8(ascii: "-"):
      true
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): self == .identifier
    case UInt8(ascii: "_"): self != .bucket
    case UInt8(ascii: "."): self == .bucket
    default: false
    }
  }

  /// The characters in words.
  package var description: String {
    switch self {
    case .identifier: "A-Z a-z 0-9 _ -"
    case .lowercase: "a-z 0-9 - _"
    case .bucket: "a-z 0-9 . -"
    }
  }

  /// Returns whether a text has a permitted length and no other characters.
  package func allow(_ text: String, length: ClosedRange<Int>) -> Bool {
    length.contains(text.utf8.count) && text.utf8.allSatisfy(contains)
  }
}
