/// The cut of a picture into stripes of whole MCU rows, from top to bottom.
struct StripePlan: Hashable {
  /// The rows of pixels of each stripe; all but the last are whole MCU rows.
  let rows: [Range<Int>]

  /// Cuts a picture into stripes that differ by one MCU row at most.
  ///
  /// - Parameters:
  ///   - height: the number of the picture's rows, at least 1.
  ///   - rowsPerMCU: the number of rows in an MCU, 8 or 16.
  ///   - count: the wanted number of stripes; fewer are made when there are fewer MCU rows.
  init(height: Int, rowsPerMCU: Int, count: Int) {
    let mcuRows = (height + rowsPerMCU - 1) / rowsPerMCU
    let count = min(max(count, 1), mcuRows)
    rows = (0..<count).map { index in
      let first = index * mcuRows / count * rowsPerMCU
      let end = (index + 1) * mcuRows / count * rowsPerMCU
      return first..<min(end, height)
    }
  }
}
