/// The weights of a row's samples for the samples of a shorter row, by the area that they share.
///
/// A sample of the shorter row covers several samples of the longer one, the first and the last of
/// them in part. The weights are fixed-point numbers, and their sum is the same for every sample.
struct AreaWeights {
  /// The binary logarithm of the sum of a sample's weights.
  static let bits = 12

  /// The samples of the longer row that make one sample of the shorter row.
  struct Span {
    /// The first sample of the longer row.
    var first: Int
    /// The index of the sample's first weight in ``values``.
    var firstWeight: Int
    /// The number of samples of the longer row.
    var count: Int
  }

  /// The spans of the samples of the shorter row.
  let spans: [Span]
  /// The weights of all spans.
  let values: [UInt32]

  /// Makes the weights.
  ///
  /// - Parameters:
  ///   - count: the number of samples of the shorter row.
  ///   - available: the number of samples of the longer row, beyond which nothing counts.
  ///   - numerator: with `denominator`, the number of samples that one of the shorter row covers.
  init(count: Int, of available: Int, numerator: Int, denominator: Int) {
    var spans: [Span] = []
    var values: [UInt32] = []
    spans.reserveCapacity(count)
    // The unit of positions is a sample divided by `denominator`.
    let end = available * denominator
    for index in 0..<count {
      let from = min(index * numerator, end - 1)
      let to = max(min((index + 1) * numerator, end), from + 1)
      let first = from / denominator
      let last = (to - 1) / denominator
      spans.append(Span(first: first, firstWeight: values.count, count: last - first + 1))
      // The weights are differences of rounded sums, so that their total is exact.
      var before = 0
      for sample in first...last {
        let covered = min((sample + 1) * denominator, to) - from
        let sum = ((covered << (Self.bits + 1)) + (to - from)) / (2 * (to - from))
        values.append(UInt32(sum - before))
        before = sum
      }
    }
    self.spans = spans
    self.values = values
  }
}
