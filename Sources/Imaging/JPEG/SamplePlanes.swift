import Devices

/// The three planes of a luma-chroma frame as TurboJPEG wants them.
///
/// Planes that already are what they have to be stay where the camera put them; the others are
/// made in scratch memory. TurboJPEG reads luma for whole chroma samples, so the luma of an odd
/// size is copied with its last column and row repeated instead of reading the neighbours.
struct SamplePlanes: ~Copyable {
  /// One plane in memory.
  struct Plane {
    /// The first sample.
    var start: UnsafePointer<UInt8>
    /// Bytes from one row to the next.
    var bytesPerRow: Int
    /// Bytes from one sample to the next in a row.
    var step = 1
  }

  /// The planes' pointers and strides in the order Y, Cb, Cr, valid until the next preparation.
  struct Prepared {
    var pointers: [UnsafePointer<UInt8>?]
    var bytesPerRow: [Int32]
    var sampling: ChromaSampling
  }

  private var luma = ScratchBuffer()
  private var cb = ScratchBuffer()
  private var cr = ScratchBuffer()

  /// Prepares the planes of a frame whose bytes have been checked by ``FrameLayout``.
  mutating func prepare(
    _ bytes: UnsafePointer<UInt8>, format: StreamFormat
  ) -> Prepared {
    let planes = format.planes
    let source: (luma: Plane, cb: Plane, cr: Plane)
    let sampling: ChromaSampling
    switch format.pixelFormat {
    case .yuv420:
      sampling = .halved
      source = (
        Plane(start: bytes, bytesPerRow: planes[0].bytesPerRow),
        Plane(start: bytes + planes[1].offset, bytesPerRow: planes[1].bytesPerRow),
        Plane(start: bytes + planes[2].offset, bytesPerRow: planes[2].bytesPerRow)
      )
    case .nv12:
      sampling = .halved
      let chroma = bytes + planes[1].offset
      source = (
        Plane(start: bytes, bytesPerRow: planes[0].bytesPerRow),
        Plane(start: chroma, bytesPerRow: planes[1].bytesPerRow, step: 2),
        Plane(start: chroma + 1, bytesPerRow: planes[1].bytesPerRow, step: 2)
      )
    case .yuyv:
      sampling = .halvedHorizontally
      let bytesPerRow = planes[0].bytesPerRow
      source = (
        Plane(start: bytes, bytesPerRow: bytesPerRow, step: 2),
        Plane(start: bytes + 1, bytesPerRow: bytesPerRow, step: 4),
        Plane(start: bytes + 3, bytesPerRow: bytesPerRow, step: 4)
      )
    case .rgb, .bgr, .mjpeg:
      preconditionFailure("\(format.pixelFormat) has no luma and chroma planes")
    }
    return prepare(
      source, size: format.size, sampling: sampling,
      conversion: SampleConversion(from: format.colorSpace))
  }

  private mutating func prepare(
    _ source: (luma: Plane, cb: Plane, cr: Plane), size: FrameSize, sampling: ChromaSampling,
    conversion: SampleConversion?
  ) -> Prepared {
    let columns = sampling.columns(size.width)
    let rows = sampling.rows(size.height)
    let lumaColumns = sampling.paddedColumns(size.width)
    let lumaRows = sampling.paddedRows(size.height)
    var result = source

    let lumaIsPadded = lumaColumns != size.width || lumaRows != size.height
    if conversion != nil || source.luma.step != 1 || lumaIsPadded {
      let scratch = luma.reserve(lumaColumns * lumaRows)
      Self.copy(
        source.luma, columns: size.width, rows: size.height, to: scratch,
        paddedColumns: lumaColumns, paddedRows: lumaRows, table: conversion?.luma)
      result.luma = Plane(start: UnsafePointer(scratch), bytesPerRow: lumaColumns)
    }
    if conversion != nil || source.cb.step != 1 {
      let blue = cb.reserve(columns * rows)
      let red = cr.reserve(columns * rows)
      for (plane, scratch) in [(source.cb, blue), (source.cr, red)] {
        Self.copy(
          plane, columns: columns, rows: rows, to: scratch, paddedColumns: columns,
          paddedRows: rows, table: conversion?.chroma)
      }
      if let matrix = conversion?.matrix {
        matrix.apply(
          luma: luma.reserve(lumaColumns * lumaRows), cb: blue, cr: red, columns: columns,
          rows: rows, lumaRowsPerChromaRow: lumaRows / rows)
      }
      result.cb = Plane(start: UnsafePointer(blue), bytesPerRow: columns)
      result.cr = Plane(start: UnsafePointer(red), bytesPerRow: columns)
    }
    return Prepared(
      pointers: [result.luma.start, result.cb.start, result.cr.start],
      bytesPerRow: [
        Int32(result.luma.bytesPerRow), Int32(result.cb.bytesPerRow), Int32(result.cr.bytesPerRow),
      ],
      sampling: sampling)
  }

  /// Copies a plane densely, through a table if there is one, repeating its last column and row.
  private static func copy(
    _ plane: Plane, columns: Int, rows: Int, to scratch: UnsafeMutablePointer<UInt8>,
    paddedColumns: Int, paddedRows: Int, table: [UInt8]?
  ) {
    for row in 0..<paddedRows {
      let source = plane.start + min(row, rows - 1) * plane.bytesPerRow
      let target = scratch + row * paddedColumns
      // A constant step lets the compiler make vector code of the common cases.
      switch plane.step {
      case 1: target.update(from: source, count: columns)
      case 2: for column in 0..<columns { target[column] = source[2 * column] }
      default: for column in 0..<columns { target[column] = source[plane.step * column] }
      }
      table?.withUnsafeBufferPointer { table in
        for column in 0..<columns { target[column] = table[Int(target[column])] }
      }
      for column in columns..<paddedColumns { target[column] = target[columns - 1] }
    }
  }
}

extension SampleConversion.Matrix {
  /// Changes full-range planes in place; luma has two columns for each chroma column.
  func apply(
    luma: UnsafeMutablePointer<UInt8>, cb: UnsafeMutablePointer<UInt8>,
    cr: UnsafeMutablePointer<UInt8>, columns: Int, rows: Int, lumaRowsPerChromaRow: Int
  ) {
    func sample(_ value: Int32) -> UInt8 { UInt8(truncatingIfNeeded: min(max(value, 0), 255)) }
    let half: Int32 = 1 << 15
    for row in 0..<rows {
      let blueRow = cb + row * columns
      let redRow = cr + row * columns
      for column in 0..<columns {
        let blue = Int32(blueRow[column]) - 128
        let red = Int32(redRow[column]) - 128
        blueRow[column] = sample((cbFromCb * blue + cbFromCr * red + half) >> 16 + 128)
        redRow[column] = sample((crFromCb * blue + crFromCr * red + half) >> 16 + 128)
        let shift = (lumaFromCb * blue + lumaFromCr * red + half) >> 16
        for lumaRow in 0..<lumaRowsPerChromaRow {
          let pair = luma + ((row * lumaRowsPerChromaRow + lumaRow) * columns + column) * 2
          pair[0] = sample(Int32(pair[0]) + shift)
          pair[1] = sample(Int32(pair[1]) + shift)
        }
      }
    }
  }
}
