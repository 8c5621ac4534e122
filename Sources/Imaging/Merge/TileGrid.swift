import Devices

/// The division of a picture into square tiles; those at the right and at the bottom may be cut.
struct TileGrid {
  /// The number of pixels at a tile's side: 8 or 16.
  let side: Int
  /// The numbers of columns and rows of tiles.
  let columns: Int, rows: Int

  init(_ size: FrameSize, side: Int) {
    self.side = side
    columns = (size.width + side - 1) / side
    rows = (size.height + side - 1) / side
  }

  /// The number of tiles.
  var count: Int { columns * rows }

  /// Calls a closure with the rows of samples of some rows of tiles, on several threads.
  ///
  /// - Parameter threadCount: the number of threads; less than 1 counts as 1.
  func perform(_ threadCount: Int, of samples: SampleGrid, _ work: (_ rows: Range<Int>) -> Void) {
    let count = min(max(threadCount, 1), rows)
    let height = side / samples.down
    ParallelWork.perform(count) { index in
      let end = min((index + 1) * rows / count * height, samples.rows)
      work(index * rows / count * height..<end)
    }
  }

  /// Interpolates the tiles' values linearly for the samples of a row.
  ///
  /// A sample at the middle of a tile has the tile's value, and borders of tiles do not show.
  ///
  /// - Parameters:
  ///   - values: a value for each tile, of less than 2 to the 25.
  ///   - edges: memory for a value for each column of tiles.
  ///   - target: memory for a value for each sample of the row.
  func interpolate(
    _ values: UnsafePointer<Int32>, row: Int, of samples: SampleGrid,
    edges: UnsafeMutablePointer<Int32>, to target: UnsafeMutablePointer<Int32>
  ) {
    let (width, height) = (side / samples.across, side / samples.down)
    // Distances are counted in half samples, because the middles lie between samples.
    let position = 2 * row + 1 - height
    let above = position < 0 ? -1 : position / (2 * height)
    let lowerShare = Int32(position - above * 2 * height)
    let upperShare = Int32(2 * height) - lowerShare
    let upper = values + max(above, 0) * columns
    let lower = values + min(above + 1, rows - 1) * columns
    let rowBits = Int32((2 * height).trailingZeroBitCount)
    for column in 0..<columns {
      edges[column] = (upper[column] &* upperShare &+ lower[column] &* lowerShare) &>> rowBits
    }
    let columnBits = Int32((2 * width).trailingZeroBitCount)
    for column in 0...columns {
      let first = column * width - width / 2
      guard first < samples.columns else { break }
      let left = edges[max(column - 1, 0)]
      let change = edges[min(column, columns - 1)] &- left
      for index in max(0, -first)..<min(width, samples.columns - first) {
        let share = Int32(truncatingIfNeeded: 2 &* index &+ 1)
        target[first &+ index] = left &+ (change &* share) &>> columnBits
      }
    }
  }
}
