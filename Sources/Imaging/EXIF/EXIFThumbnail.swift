import CEXIF

/// The small picture inside a JPEG file, read from the beginning of the file.
package enum EXIFThumbnail {
  /// The length of the beginning that holds an Exif segment, which is the file's first.
  package static let headBytes = 4 + 0xFFFF

  /// Reads the small picture of a file.
  ///
  /// The small picture gets an Exif segment of its own with the orientation of the file, so that a
  /// browser shows it upright. No pixel is decoded.
  ///
  /// - Parameter head: the first ``headBytes`` of the file, or the whole file.
  /// - Returns: a JPEG image; `nil` for a file without a small picture in JPEG.
  /// - Throws: ``ImagingError``, code `outOfMemory`.
  package static func upright(ofHead head: [UInt8]) throws(ImagingError) -> [UInt8]? {
    guard let (jpeg, orientation) = read(head) else { return nil }
    let directories = try EXIFDirectories()
    try directories.add(
      EXIFEntry(EXIFEntry.orientation, .short(orientation.rawValue), in: .image))
    let contents = try directories.serialized()
    let length = UInt16(contents.count + 2)
    return [0xFF, JPEGSegment.Marker.startOfImage, 0xFF, 0xE1]
      + [UInt8(length >> 8), UInt8(length & 0xFF)] + contents + jpeg.dropFirst(2)
  }

  /// Reads the small picture as it is stored, and the orientation of the whole picture.
  private static func read(_ head: [UInt8]) -> (jpeg: [UInt8], orientation: ImageOrientation)? {
    guard let data = exif_data_new_from_data(head, UInt32(clamping: head.count)) else { return nil }
    defer { exif_data_unref(data) }
    guard let start = data.pointee.data else { return nil }
    let jpeg = Array(UnsafeBufferPointer(start: start, count: Int(data.pointee.size)))
    guard jpeg.starts(with: [0xFF, JPEGSegment.Marker.startOfImage]) else { return nil }
    let tag = ExifTag(rawValue: EXIFEntry.orientation)
    guard let entry = exif_content_get_entry(data.pointee.ifd.0, tag),
      entry.pointee.format == EXIF_FORMAT_SHORT, entry.pointee.size >= 2
    else { return (jpeg, .up) }
    let number = exif_get_short(entry.pointee.data, exif_data_get_byte_order(data))
    return (jpeg, ImageOrientation(rawValue: number) ?? .up)
  }
}
