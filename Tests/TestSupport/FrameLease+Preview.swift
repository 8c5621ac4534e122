package import Devices

extension FrameLease {
  /// Returns how much the preview differs from the frame: the most levels of a field's mean luma.
  ///
  /// The pictures have eight by eight fields, whose middles are compared. The result is `nil` for a
  /// frame without a preview. Only frames with a plane of luma can be compared.
  package func differenceOfPreview() throws -> Int? {
    guard let preview else { return nil }
    let own = try withBytes { Self.fields(of: $0, format) }
    let other = try withPicture(ofAtLeast: FrameSize(width: 1, height: 1)) { bytes, format in
      format == preview.format ? Self.fields(of: bytes, format) : []
    }
    guard other.count == own.count else { return Int.max }
    return zip(own, other).map { abs($0 - $1) }.max()
  }

  private static func fields(of bytes: UnsafeRawBufferPointer, _ format: StreamFormat) -> [Int] {
    func middle(_ index: Int, of length: Int) -> Range<Int> {
      let (start, end) = (index * length / 8, (index + 1) * length / 8)
      return (start + (end - start) / 4)..<(end - (end - start) / 4)
    }
    return (0..<64).map { index in
      let (columns, rows) = (
        middle(index % 8, of: format.size.width), middle(index / 8, of: format.size.height)
      )
      var sum = 0
      for row in rows {
        for column in columns { sum += Int(bytes[row * format.bytesPerRow + column]) }
      }
      return sum / (columns.count * rows.count)
    }
  }
}
