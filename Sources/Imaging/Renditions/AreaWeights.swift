/// How much each sample of a row counts for the samples of a shorter row, by the area they share.
///
/// A sample of the shorter row covers `ratio` samples of the longer one, the first and the last of
/// them in part. The weights are fixed-point numbers whose sum is the same for every sample.
struct AreaWeights {
  /// The sum of the weights of a sample is 2 to the power of this.
  static let bits = 12

  /// What one sample of the shorter row is made of.
  struct Span {
    /// The first sample of the longer row.
    var first: Int
    /// Where its weights begin in ``values``.
    var firstWeight: Int
    /// How many samples it covers.
    var count: Int
  }

  /// The spans of the samples of the shorter row.
  let spans: [Span]
  /// The weights of all spans.
  let values: [UInt32]

  /// Makes the weights.
  ///
  /// - Parameters:
  ///   - count: the samples of the shorter row.
  ///   - available: the samples of the longer row; what would lie beyond them does not count.
  ///   - numerator: with `denominator`, the samples that one of the shorter row covers.
  init(count: Int, of available: Int, numerator: Int, denominator: Int) {
    var spans: [Span] = []
    var values: [UInt32] = []
    spans.reserveCapacity(count)
    // Positions are counted in parts of which a sample has `denominator`.
    let end = available * denominator
    for index in 0..<count {
      let from = min(index * numerator, end - 1)
      let to = max(min((index + 1) * numerator, end), from + 1)
      let first = from / denominator
      let last = (to - 1) / denominator
      spans.append(Span(first: first, firstWeight: values.count, count: last - first + 1))
      // The rounded sums up to each sample, so that all weights together are exact.
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
