import Devices

/// A JPEG image as it is stored: with its Exif and XMP segments, ready for the spool.
package enum JPEGFile {
  /// Puts Exif metadata, and an XMP packet, into a JPEG image.
  ///
  /// The segment stands directly after the start of the image, as Exif requires (Exif 2.32, 4.5.4).
  /// The packet has a segment of its own after it.
  /// The JFIF segment claims the same place and is removed. A camera's own Exif, XMP and vendor
  /// segments would contradict and are removed too. ICC profiles, Adobe's color mark and comments
  /// stay. The size in the metadata is read from the image.
  ///
  /// - Parameters:
  ///   - jpeg: a whole image, for example from ``JPEGEncoder``.
  ///   - exif: the picture's metadata.
  ///   - thumbnail: a small picture for the Exif segment, from ``thumbnail(from:)``; the whole
  ///     segment has 65533 bytes at most.
  ///   - xmp: an XMP packet, from ``XMPMetadata/packet(for:size:)``; empty for none.
  /// - Returns: the image to store.
  /// - Throws: ``ImagingError``: `malformedJPEG`, `metadataTooLarge` or the errors of
  ///   ``EXIFMetadata/segmentContents(for:thumbnail:)``.
  /// - Complexity: O(bytes).
  package static func assemble(
    jpeg: [UInt8], exif: EXIFMetadata, thumbnail: [UInt8]? = nil, xmp: [UInt8] = []
  ) throws(ImagingError) -> [UInt8] {
    let result = jpeg.withUnsafeBytes { bytes in
      Result { () throws(ImagingError) in
        try assemble(bytes, exif: exif, thumbnail: thumbnail, xmp: xmp)
      }
    }
    return try result.get()
  }

  /// Makes a thumbnail for an Exif segment from a JPEG image.
  ///
  /// Application segments and comments are removed (Exif 2.32, 4.5.5).
  ///
  /// - Parameter jpeg: a whole image of one stripe; an image with a restart interval is refused.
  /// - Throws: ``ImagingError``: `malformedJPEG`, `unsupported`.
  package static func thumbnail(from jpeg: [UInt8]) throws(ImagingError) -> [UInt8] {
    let result = jpeg.withUnsafeBytes { bytes in
      Result { () throws(ImagingError) in
        try bareImage(bytes)
      }
    }
    return try result.get()
  }

  private static func bareImage(_ bytes: UnsafeRawBufferPointer) throws(ImagingError) -> [UInt8] {
    var reader = try JPEGSegmentReader(bytes)
    var result: [UInt8] = [0xFF, JPEGSegment.Marker.startOfImage]
    while let segment = try reader.next() {
      if JPEGSegment.Marker.application.contains(segment.marker)
        || segment.marker == JPEGSegment.Marker.comment
      {
        continue
      }
      guard segment.marker != JPEGSegment.Marker.restartInterval else {
        throw ImagingError(
          .unsupported, subject: "JPEG image of \(bytes.count.counted("byte"))",
          problem: "cannot be an Exif thumbnail", cause: "it has restart markers")
      }
      result += bytes[segment.range]
    }
    return result + [0xFF, JPEGSegment.Marker.endOfImage]
  }

  /// Reads the frame header of a JPEG image.
  ///
  /// - Throws: ``ImagingError``, code `malformedJPEG`.
  package static func frameHeader(of jpeg: [UInt8]) throws(ImagingError) -> JPEGFrameHeader {
    let result = jpeg.withUnsafeBytes { bytes in
      Result { () throws(ImagingError) in
        try JPEGLayout(bytes).header
      }
    }
    return try result.get()
  }

  private static func assemble(
    _ bytes: UnsafeRawBufferPointer, exif: EXIFMetadata, thumbnail: [UInt8]?, xmp: [UInt8]
  ) throws(ImagingError) -> [UInt8] {
    let layout = try JPEGLayout(bytes)
    let contents = try exif.segmentContents(for: layout.header, thumbnail: thumbnail)
    let exifSegment = try applicationSegment("Exif segment", contents)
    let xmpSegment =
      xmp.isEmpty ? [] : try applicationSegment("XMP segment", XMPMetadata.segmentName + xmp)
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count + exifSegment.count + xmpSegment.count)
    result += [0xFF, JPEGSegment.Marker.startOfImage]
    result += exifSegment
    result += xmpSegment
    for range in layout.kept { result += bytes[range] }
    return result
  }

  /// Makes the segment APP1 of these contents.
  private static func applicationSegment(
    _ subject: String, _ contents: [UInt8]
  ) throws(ImagingError) -> [UInt8] {
    let length = contents.count + 2
    guard length <= 0xFFFF else {
      throw ImagingError(
        .metadataTooLarge, subject: subject, problem: "does not fit into a JPEG segment",
        cause: "\(contents.count) bytes where 65533 is the most")
    }
    return [0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 255)] + contents
  }
}

/// The parts of a JPEG image that are stored, and its frame header.
private struct JPEGLayout {
  let header: JPEGFrameHeader
  /// The segments to keep before the first scan, then everything from the scan to the end.
  let kept: [Range<Int>]

  init(_ bytes: UnsafeRawBufferPointer) throws(ImagingError) {
    var reader = try JPEGSegmentReader(bytes)
    var header: JPEGFrameHeader?
    var kept: [Range<Int>] = []
    while let segment = try reader.next() {
      if segment.marker == JPEGSegment.Marker.startOfScan {
        kept.append(segment.range.lowerBound..<bytes.count)
        break
      }
      if JPEGSegment.Marker.frames.contains(segment.marker) {
        header = try JPEGFrameHeader(bytes[segment.payload], marker: segment.marker)
      }
      if Self.isKept(segment, bytes: bytes) { kept.append(segment.range) }
    }
    guard let header else {
      throw ImagingError(
        .malformedJPEG, subject: "JPEG image of \(bytes.count.counted("byte"))",
        problem: "has no frame header before its picture")
    }
    self.header = header
    self.kept = kept
  }

  private static func isKept(_ segment: JPEGSegment, bytes: UnsafeRawBufferPointer) -> Bool {
    guard JPEGSegment.Marker.application.contains(segment.marker) else { return true }
    let payload = bytes[segment.payload]
    switch segment.marker {
    case 0xE2: return payload.starts(with: Array("ICC_PROFILE\0".utf8))
    case 0xEE: return payload.starts(with: Array("Adobe".utf8))
    default: return false
    }
  }
}
