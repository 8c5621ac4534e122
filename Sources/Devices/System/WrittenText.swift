/// The text of files that people write with the editors and shells of other systems.
///
/// Notepad begins UTF-8 with a byte order mark, and PowerShell 5 writes UTF-16 with one. `cmd`
/// leaves a space before the line's end. All of them end lines with CR LF.
package enum WrittenText {
  /// Returns the text of a file's bytes in UTF-8, or in UTF-16 with a byte order mark.
  ///
  /// The mark is removed.
  ///
  /// - Returns: the text; `nil` when the bytes are neither.
  package static func text(of bytes: some Collection<UInt8>) -> String? {
    let mark = Array(bytes.prefix(3))
    if mark.starts(with: [0xFF, 0xFE]) { return wide(bytes.dropFirst(2)) { $0 | $1 << 8 } }
    if mark.starts(with: [0xFE, 0xFF]) { return wide(bytes.dropFirst(2)) { $0 << 8 | $1 } }
    return String(
      validating: mark == [0xEF, 0xBB, 0xBF] ? bytes.dropFirst(3) : bytes[...], as: UTF8.self)
  }

  /// Returns the first line of a file's bytes, without white space at its ends.
  ///
  /// Bytes that are no text become U+FFFD.
  package static func firstLine(of bytes: some Collection<UInt8>) -> String {
    let text = text(of: bytes) ?? String(decoding: bytes, as: UTF8.self)
    let line = text.unicodeScalars.prefix { $0 != "\n" && $0 != "\r" }
    let words = line.drop(while: \.properties.isWhitespace)
    let end = words.lastIndex { !$0.properties.isWhitespace }
    return end.map { String(words[...$0]) } ?? ""
  }

  private static func wide(
    _ bytes: some Collection<UInt8>, _ unit: (UInt16, UInt16) -> UInt16
  ) -> String? {
    var units: [UInt16] = []
    var rest = bytes[...]
    while let first = rest.popFirst() {
      guard let second = rest.popFirst() else { return nil }
      units.append(unit(UInt16(first), UInt16(second)))
    }
    return String(validating: units, as: UTF16.self)
  }
}
