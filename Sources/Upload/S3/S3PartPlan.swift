/// The division of an item into parts.
struct S3PartPlan: Hashable {
  /// The maximum number of parts of one object in S3.
  static let maximumPartCount: Int64 = 10_000

  /// The item's bytes.
  let byteCount: Int64
  /// The bytes of each part but the last.
  let partByteCount: Int64

  /// Makes a plan with parts of a wanted size, or larger ones to stay within the maximum number.
  init(byteCount: Int64, partByteCount wanted: Int64) {
    let mebibyte: Int64 = 1 << 20
    let least = (byteCount + Self.maximumPartCount - 1) / Self.maximumPartCount
    let whole = (least + mebibyte - 1) / mebibyte * mebibyte
    self.byteCount = byteCount
    partByteCount = max(wanted, S3Configuration.minimumPartByteCount, whole)
  }

  /// Restores the plan of an unfinished upload; returns `nil` when the part size is unusable.
  init?(byteCount: Int64, begunWith partByteCount: Int64?) {
    guard let partByteCount, partByteCount >= S3Configuration.minimumPartByteCount,
      (byteCount - 1) / partByteCount < Self.maximumPartCount
    else { return nil }
    self.byteCount = byteCount
    self.partByteCount = partByteCount
  }

  /// The number of parts; one for an empty item.
  var count: Int { Int(max(1, (byteCount + partByteCount - 1) / partByteCount)) }

  /// Returns the byte range of a part; parts are numbered from 1.
  func range(of number: Int) -> Range<Int64> {
    let start = Int64(number - 1) * partByteCount
    return start..<min(start + partByteCount, byteCount)
  }
}
