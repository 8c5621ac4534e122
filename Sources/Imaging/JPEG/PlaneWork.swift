/// A plane to be copied densely, through a table if there is one, its last column and row repeated.
struct PlaneCopy {
  /// Where the samples come from.
  let source: SamplePlanes.Plane
  /// The samples in a row, and the rows, of the source.
  let columns: Int, rows: Int
  /// Where they go: rows of ``paddedColumns`` one behind the other.
  let target: UnsafeMutablePointer<UInt8>
  /// The samples in a row of the target.
  let paddedColumns: Int
  /// The rows beside one row of chroma: 1 or 2.
  let rowsPerChromaRow: Int
  /// What a sample becomes; `nil` for what it is.
  let table: [UInt8]?

  /// Copies what lies beside some rows of chroma.
  func run(_ chromaRows: Range<Int>) {
    let wanted =
      chromaRows.lowerBound * rowsPerChromaRow..<chromaRows.upperBound * rowsPerChromaRow
    for row in wanted {
      let from = source.start + min(row, rows - 1) * source.bytesPerRow
      let to = target + row * paddedColumns
      // A constant step lets the compiler make vector code of the common cases.
      switch source.step {
      case 1: to.update(from: from, count: columns)
      case 2: for column in 0..<columns { to[column] = from[2 * column] }
      default: for column in 0..<columns { to[column] = from[source.step * column] }
      }
      table?.withUnsafeBufferPointer { table in
        for column in 0..<columns { to[column] = table[Int(to[column])] }
      }
      for column in columns..<paddedColumns { to[column] = to[columns - 1] }
    }
  }
}

/// A change of the luma-chroma matrix of full-range planes in place.
struct MatrixChange {
  /// The change.
  let matrix: SampleConversion.Matrix
  /// The planes, dense; luma has two columns for each of chroma.
  let luma: UnsafeMutablePointer<UInt8>
  let cb: UnsafeMutablePointer<UInt8>, cr: UnsafeMutablePointer<UInt8>
  /// The columns of chroma.
  let columns: Int
  /// The rows of luma beside one row of chroma: 1 or 2.
  let lumaRowsPerChromaRow: Int

  /// Changes some rows of chroma and the luma beside them.
  func run(_ chromaRows: Range<Int>) {
    func sample(_ value: Int32) -> UInt8 { UInt8(truncatingIfNeeded: min(max(value, 0), 255)) }
    let half: Int32 = 1 << 15
    for row in chromaRows {
      let blueRow = cb + row * columns
      let redRow = cr + row * columns
      for column in 0..<columns {
        let blue = Int32(blueRow[column]) - 128
        let red = Int32(redRow[column]) - 128
        blueRow[column] = sample(
          (matrix.cbFromCb * blue + matrix.cbFromCr * red + half) >> 16 + 128)
        redRow[column] = sample(
          (matrix.crFromCb * blue + matrix.crFromCr * red + half) >> 16 + 128)
        let shift = (matrix.lumaFromCb * blue + matrix.lumaFromCr * red + half) >> 16
        for lumaRow in 0..<lumaRowsPerChromaRow {
          let pair = luma + ((row * lumaRowsPerChromaRow + lumaRow) * columns + column) * 2
          pair[0] = sample(Int32(pair[0]) + shift)
          pair[1] = sample(Int32(pair[1]) + shift)
        }
      }
    }
  }
}
