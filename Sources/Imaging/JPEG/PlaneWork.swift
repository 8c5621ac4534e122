/// The gapless copy of a plane, through an optional table, with its last column and row repeated.
struct PlaneCopy {
  /// The plane to copy.
  let source: SamplePlanes.Plane
  /// The numbers of samples in a row and of rows of the source.
  let columns: Int, rows: Int
  /// The memory of the copy: rows of ``paddedColumns`` samples without gaps.
  let target: UnsafeMutablePointer<UInt8>
  /// The number of samples in a row of the target.
  let paddedColumns: Int
  /// The number of rows beside one row of chroma: 1 or 2.
  let rowsPerChromaRow: Int
  /// The new value of each sample value; `nil` for an unchanged copy.
  let table: [UInt8]?

  /// Copies the rows beside some rows of chroma.
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
  /// The matrix of the change.
  let matrix: SampleConversion.Matrix
  /// The planes without gaps; luma has two columns for each column of chroma.
  let luma: UnsafeMutablePointer<UInt8>
  let cb: UnsafeMutablePointer<UInt8>, cr: UnsafeMutablePointer<UInt8>
  /// The number of columns of chroma.
  let columns: Int
  /// The number of rows of luma beside one row of chroma: 1 or 2.
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
