/// The head of a JPEG file (ITU T.81).
enum JPEGHeader {
  /// The number of bytes searched for the size, which follows the metadata.
  static let searchedBytes = 1 << 20

  /// Returns the size in pixels from the frame header (SOF).
  ///
  /// - Parameter bytes: the file's beginning.
  /// - Returns: `nil` for data that is not JPEG or ends before its frame header.
  static func size(of bytes: [UInt8]) -> (width: Int, height: Int)? {
    guard bytes.starts(with: [0xFF, 0xD8]) else { return nil }
    var index = 2
    while index + 3 < bytes.count {
      guard bytes[index] == 0xFF else { return nil }
      let marker = bytes[index + 1]
      // Fill bytes may precede a marker.
      if marker == 0xFF {
        index += 1
        continue
      }
      let length = Int(bytes[index + 2]) << 8 | Int(bytes[index + 3])
      guard length >= 2, marker != 0xDA, marker != 0xD9 else { return nil }
      // Tables of Huffman (C4), an extension (C8) and arithmetic conditioning (CC) are no frames.
      if (0xC0...0xCF).contains(marker), ![0xC4, 0xC8, 0xCC].contains(marker) {
        guard length >= 8, index + 8 < bytes.count else { return nil }
        let height = Int(bytes[index + 5]) << 8 | Int(bytes[index + 6])
        let width = Int(bytes[index + 7]) << 8 | Int(bytes[index + 8])
        return width > 0 && height > 0 ? (width, height) : nil
      }
      index += 2 + length
    }
    return nil
  }
}
