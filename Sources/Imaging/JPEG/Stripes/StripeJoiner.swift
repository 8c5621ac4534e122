import Glibc

/// The join of baseline JPEG images of one picture's stripes into one image of the whole.
///
/// Each stripe has a restart marker after each MCU row and starts without prediction. So the coded
/// data can be appended with a restart marker in between (ITU-T T.81, E.1.4). The header is the
/// first stripe's, with the height of the whole. The markers are renumbered, because they count
/// from 0 to 7 over the whole scan.
enum StripeJoiner {
  /// Joins the images of stripes, from top to bottom.
  ///
  /// - Parameters:
  ///   - stripes: whole images, all with the same tables.
  ///   - height: the number of the picture's rows, 1...65500.
  /// - Throws: ``ImagingError``, code `malformedJPEG`, for images that do not make this picture.
  /// - Complexity: O(bytes).
  static func join(
    _ stripes: [UnsafeRawBufferPointer], height: Int
  ) throws(ImagingError) -> [UInt8] {
    guard let first = stripes.first, (1...FrameLayout.largestDimension).contains(height) else {
      throw malformed("has no stripes or no rows")
    }
    let header = try StripeHeader(first)
    var headers = [header]
    for (index, bytes) in stripes.enumerated().dropFirst() {
      let stripe = try StripeHeader(bytes)
      guard stripe.hasSameTables(as: header, bytes, first) else {
        throw malformed("has a stripe \(index) with other tables than the first")
      }
      headers.append(stripe)
    }
    for (index, stripe) in headers.enumerated().dropLast()
    where stripe.rows % stripe.rowsPerMCU != 0 {
      throw malformed("has a stripe \(index) that ends within a row of MCUs")
    }
    let rows = headers.reduce(0) { $0 + $1.rows }
    guard rows == height else {
      throw malformed("has stripes of \(rows) rows instead of \(height)")
    }

    var result: [UInt8] = []
    result.reserveCapacity(
      header.coded.lowerBound + headers.reduce(0) { $0 + $1.coded.count + 2 })
    result += first[..<header.coded.lowerBound]
    result[header.heightOffset] = UInt8(height >> 8)
    result[header.heightOffset + 1] = UInt8(height & 255)
    var mcuRowsBefore = 0
    for (bytes, stripe) in zip(stripes, headers) {
      if mcuRowsBefore > 0 { result += [0xFF, marker(mcuRowsBefore - 1)] }
      let start = result.count
      result += bytes[stripe.coded]
      try number(&result, from: start, of: stripe, mcuRowsBefore: mcuRowsBefore)
      mcuRowsBefore += stripe.mcuRows
    }
    return result + [0xFF, JPEGSegment.Marker.endOfImage]
  }

  /// Numbers the restart markers of a stripe's coded data as those of the whole.
  private static func number(
    _ image: inout [UInt8], from start: Int, of stripe: StripeHeader, mcuRowsBefore: Int
  ) throws(ImagingError) {
    let count = image.withUnsafeMutableBytes { image -> Int? in
      let bytes = UnsafeMutableRawBufferPointer(rebasing: image[start...])
      guard let first = bytes.baseAddress else { return nil }
      var count = 0
      var position = 0
      while position + 1 < bytes.count,
        let found = memchr(first + position, 0xFF, bytes.count - 1 - position)
      {
        position = found - UnsafeMutableRawPointer(first) + 1
        guard JPEGSegment.Marker.restart.contains(bytes[position]) else { continue }
        guard bytes[position] == marker(count) else { return nil }
        bytes[position] = marker(mcuRowsBefore + count)
        count += 1
        position += 1
      }
      return count
    }
    guard count == stripe.mcuRows - 1 else {
      throw malformed("has a stripe with missing or misplaced restart markers")
    }
  }

  /// Returns the marker after an MCU row.
  private static func marker(_ mcuRow: Int) -> UInt8 {
    JPEGSegment.Marker.restart.lowerBound + UInt8(mcuRow % 8)
  }

  static func malformed(_ problem: String) -> ImagingError {
    ImagingError(.malformedJPEG, subject: "picture in stripes", problem: problem)
  }
}
