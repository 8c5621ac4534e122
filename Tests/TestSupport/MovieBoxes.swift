/// Returns the types of a movie file's boxes (ISO/IEC 14496-12, 4.2), without those in other boxes.
package func movieBoxes(of bytes: [UInt8]) -> [String] {
  var (position, names) = (0, [String]())
  while position + 8 <= bytes.count {
    let length = bytes[position..<position + 4].reduce(0) { $0 << 8 | Int($1) }
    names.append(String(decoding: bytes[position + 4..<position + 8], as: UTF8.self))
    guard length >= 8 else { break }
    position += length
  }
  return names
}
