/// A number for each tile of a picture, as a small picture.
struct TilePicture {
  /// The numbers of columns and rows, at least 1 each.
  let columns: Int, rows: Int
  /// The numbers, row by row.
  var values: [Float]

  /// Returns the picture of half the size, each value the mean of four; the border is repeated.
  func halved() -> TilePicture {
    make(columns: (columns + 1) / 2, rows: (rows + 1) / 2) { column, row in
      let (upper, lower) = (2 * row * columns, min(2 * row + 1, rows - 1) * columns)
      let (left, right) = (2 * column, min(2 * column + 1, columns - 1))
      let top = values[upper + left] + values[upper + right]
      return (top + values[lower + left] + values[lower + right]) / 4
    }
  }

  /// Returns the picture whose half this one is, linearly interpolated between middles of values.
  func doubled(to size: TilePicture) -> TilePicture {
    func beside(_ index: Int, _ count: Int) -> Int {
      min(max(index % 2 == 0 ? index / 2 - 1 : index / 2 + 1, 0), count - 1)
    }
    return make(columns: size.columns, rows: size.rows) { column, row in
      let (near, far) = (row / 2 * columns, beside(row, rows) * columns)
      let (this, other) = (column / 2, beside(column, columns))
      let nearer = 0.75 * values[near + this] + 0.25 * values[near + other]
      let farther = 0.75 * values[far + this] + 0.25 * values[far + other]
      return 0.75 * nearer + 0.25 * farther
    }
  }

  /// Returns the means of each value and its neighbors.
  func smoothed() -> TilePicture {
    make(columns: columns, rows: rows) { column, row in
      var (sum, count): (Float, Float) = (0, 0)
      for y in max(row - 1, 0)...min(row + 1, rows - 1) {
        for x in max(column - 1, 0)...min(column + 1, columns - 1) {
          sum += values[y * columns + x]
          count += 1
        }
      }
      return sum / count
    }
  }

  private func make(
    columns: Int, rows: Int, _ value: (_ column: Int, _ row: Int) -> Float
  ) -> TilePicture {
    var picture = TilePicture(columns: columns, rows: rows, values: [])
    picture.values.reserveCapacity(columns * rows)
    for row in 0..<rows {
      for column in 0..<columns { picture.values.append(value(column, row)) }
    }
    return picture
  }

  /// Divides pictures by their sum, so that their sum is 1 everywhere; all values are above 0.
  static func normalize(_ pictures: inout [TilePicture]) {
    for index in pictures[0].values.indices {
      var sum: Float = 0
      for picture in pictures { sum += picture.values[index] }
      for picture in pictures.indices { pictures[picture].values[index] /= sum }
    }
  }

  /// The values from 0 to 1 as weights of ``WeightedMerge``.
  var weights: [Int32] { values.map { Int32(($0 * Float(WeightedMerge.unit)).rounded()) } }
}
