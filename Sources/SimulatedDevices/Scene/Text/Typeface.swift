/// A typeface as bitmaps of the printable ASCII characters, for any size.
struct Typeface: Sendable {
  /// The typeface of the simulated pages.
  static let book = Typeface(table: table)

  private static let firstCharacter = UInt8(ascii: " ")
  private let glyphs: [Glyph]

  /// Reads a table of glyphs.
  ///
  /// Each character has its advance, left edge, top edge below the ascender line, width and height,
  /// one byte each. Its rows follow, with 8 pixels per byte, 1 being ink.
  ///
  /// - Parameter table: the bytes in Base64; white space is skipped.
  init(table: String) {
    let bytes = Typeface.bytes(ofBase64: table)
    var glyphs: [Glyph] = []
    var start = 0
    while start + 5 <= bytes.count {
      let width = Int(bytes[start + 3])
      let height = Int(bytes[start + 4])
      let end = start + 5 + (width + 7) / 8 * height
      precondition(end <= bytes.count, "the table ends within glyph \(glyphs.count)")
      glyphs.append(
        Glyph(
          advance: Int(bytes[start]), left: Int(Int8(bitPattern: bytes[start + 1])),
          top: Int(bytes[start + 2]), width: width, height: height,
          rows: bytes[(start + 5)..<end]))
      start = end
    }
    precondition(!glyphs.isEmpty, "the table has no glyph")
    self.glyphs = glyphs
  }

  /// Returns the glyph of an ASCII character; the blank for other characters.
  subscript(character: UInt8) -> Glyph {
    let index = Int(character) - Int(Typeface.firstCharacter)
    return glyphs.indices.contains(index) ? glyphs[index] : glyphs[0]
  }

  /// Returns the width of a word in bitmap pixels.
  func width(of word: String) -> Int {
    word.utf8.reduce(0) { $0 + self[$1].advance }
  }

  /// Decodes a text in Base64 (RFC 4648, section 4) without a check of its padding.
  private static func bytes(ofBase64 text: String) -> [UInt8] {
    let digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    var values = [UInt32?](repeating: nil, count: 256)
    for (value, digit) in digits.utf8.enumerated() { values[Int(digit)] = UInt32(value) }
    var bytes: [UInt8] = []
    var bits: UInt32 = 0
    var bitCount: UInt32 = 0
    for character in text.utf8 {
      guard let value = values[Int(character)] else { continue }
      bits = bits << 6 | value
      bitCount += 6
      guard bitCount >= 8 else { continue }
      bitCount -= 8
      bytes.append(UInt8(truncatingIfNeeded: bits >> bitCount))
    }
    return bytes
  }
}
