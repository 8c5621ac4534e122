import Devices

/// The header of a stripe's image, read without trust in any of its parts.
struct StripeHeader {
  /// The number of rows of pixels.
  let rows: Int
  /// The number of rows of pixels in an MCU, 8...32.
  let rowsPerMCU: Int
  /// The number of rows of MCUs.
  let mcuRows: Int
  /// The offset of the first of the height's two bytes in the frame header.
  let heightOffset: Int
  /// The coded data, from after the scan header to before the end-of-image marker.
  let coded: Range<Int>

  /// Reads the image of a stripe: one baseline frame with one scan of all components.
  ///
  /// - Throws: ``ImagingError``, code `malformedJPEG`.
  init(_ bytes: UnsafeRawBufferPointer) throws(ImagingError) {
    var reader = try JPEGSegmentReader(bytes)
    var frame: (header: JPEGFrameHeader, payload: Range<Int>)?
    var scan: JPEGSegment?
    var restartInterval = 0
    while let segment = try reader.next() {
      guard scan == nil else { throw StripeJoiner.malformed("has a stripe with several scans") }
      let payload = bytes[segment.payload]
      switch segment.marker {
      case JPEGSegment.Marker.startOfScan: scan = segment
      case JPEGSegment.Marker.restartInterval:
        guard payload.count == 2 else {
          throw StripeJoiner.malformed("has a damaged restart interval")
        }
        restartInterval =
          Int(payload[payload.startIndex]) << 8 | Int(payload[payload.startIndex + 1])
      case let marker where JPEGSegment.Marker.frames.contains(marker):
        guard frame == nil, marker == 0xC0 else {
          throw StripeJoiner.malformed("has a stripe that is not one baseline frame")
        }
        frame = (try JPEGFrameHeader(payload, marker: marker), segment.payload)
      default: break
      }
    }
    guard let frame, let scan, Int(bytes[scan.payload.lowerBound]) == frame.header.components.count
    else { throw StripeJoiner.malformed("has a stripe without one scan of all components") }
    let columnsPerMCU = 8 * (frame.header.components.map(\.horizontalSampling).max() ?? 1)
    rowsPerMCU = 8 * (frame.header.components.map(\.verticalSampling).max() ?? 1)
    rows = frame.header.size.height
    guard restartInterval == (frame.header.size.width + columnsPerMCU - 1) / columnsPerMCU else {
      throw StripeJoiner.malformed("has a stripe without a restart marker for each row of MCUs")
    }
    heightOffset = frame.payload.lowerBound + 1
    coded = scan.payload.upperBound..<scan.range.upperBound
    mcuRows = (rows + rowsPerMCU - 1) / rowsPerMCU
  }

  /// Whether everything before the coded data but the height is as in another stripe.
  func hasSameTables(
    as other: StripeHeader, _ bytes: UnsafeRawBufferPointer, _ others: UnsafeRawBufferPointer
  ) -> Bool {
    guard heightOffset == other.heightOffset, coded.lowerBound == other.coded.lowerBound else {
      return false
    }
    let behind = heightOffset + 2..<coded.lowerBound
    return bytes[..<heightOffset].elementsEqual(others[..<heightOffset])
      && bytes[behind].elementsEqual(others[behind])
  }
}
