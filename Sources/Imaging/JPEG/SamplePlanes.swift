import Devices

/// The three planes of a luma-chroma frame, as TurboJPEG needs them.
///
/// Suitable planes stay where the camera put them. The other planes are made in scratch memory.
/// TurboJPEG reads luma for whole chroma samples. So the luma of an odd size is copied with its
/// last column and row repeated, because TurboJPEG would otherwise read the neighboring memory.
struct SamplePlanes: ~Copyable {
  /// A plane in memory.
  struct Plane {
    /// The first sample.
    var start: UnsafePointer<UInt8>
    /// The number of bytes from one row to the next.
    var bytesPerRow: Int
    /// The number of bytes from one sample to the next in a row.
    var step = 1
  }

  /// The planes in the order Y, Cb, Cr, valid until the next preparation.
  struct Prepared {
    var planes: [Plane]
    var sampling: ChromaSampling
    /// The number of rows of the chroma planes.
    var chromaRows: Int
    fileprivate var copies: [PlaneCopy] = []
    fileprivate var change: MatrixChange?

    /// Fills the scratch memory of some rows of chroma and of the luma beside them.
    ///
    /// Several threads may fill parts at once if the parts share no row.
    func fill(_ rows: Range<Int>) {
      for copy in copies { copy.run(rows) }
      change?.run(rows)
    }
  }

  private var luma = ScratchBuffer()
  private var cb = ScratchBuffer()
  private var cr = ScratchBuffer()

  /// Prepares the planes of a frame whose bytes have been checked by ``FrameLayout``.
  ///
  /// ``Prepared/fill(_:)`` has to fill the scratch memory before the planes are read.
  mutating func prepare(
    _ bytes: UnsafePointer<UInt8>, format: StreamFormat
  ) -> Prepared {
    let (planes, sampling) = Self.inPlace(bytes, format: format)
    return prepare(
      planes, size: format.size, sampling: sampling,
      conversion: SampleConversion(from: format.colorSpace))
  }

  /// Returns the planes of a luma-chroma frame where the camera put them, and their sampling.
  static func inPlace(
    _ bytes: UnsafePointer<UInt8>, format: StreamFormat
  ) -> (planes: (luma: Plane, cb: Plane, cr: Plane), sampling: ChromaSampling) {
    let planes = format.planes
    switch format.pixelFormat {
    case .yuv420:
      let source = (
        luma: Plane(start: bytes, bytesPerRow: planes[0].bytesPerRow),
        cb: Plane(start: bytes + planes[1].offset, bytesPerRow: planes[1].bytesPerRow),
        cr: Plane(start: bytes + planes[2].offset, bytesPerRow: planes[2].bytesPerRow)
      )
      return (source, .halved)
    case .nv12:
      let chroma = bytes + planes[1].offset
      let source = (
        luma: Plane(start: bytes, bytesPerRow: planes[0].bytesPerRow),
        cb: Plane(start: chroma, bytesPerRow: planes[1].bytesPerRow, step: 2),
        cr: Plane(start: chroma + 1, bytesPerRow: planes[1].bytesPerRow, step: 2)
      )
      return (source, .halved)
    case .yuyv:
      let bytesPerRow = planes[0].bytesPerRow
      let source = (
        luma: Plane(start: bytes, bytesPerRow: bytesPerRow, step: 2),
        cb: Plane(start: bytes + 1, bytesPerRow: bytesPerRow, step: 4),
        cr: Plane(start: bytes + 3, bytesPerRow: bytesPerRow, step: 4)
      )
      return (source, .halvedHorizontally)
    case .rgb, .bgr, .mjpeg:
      preconditionFailure("\(format.pixelFormat) has no luma and chroma planes")
    }
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
    var copies: [PlaneCopy] = []
    var change: MatrixChange?

    let lumaIsPadded = lumaColumns != size.width || lumaRows != size.height
    if conversion != nil || source.luma.step != 1 || lumaIsPadded {
      let scratch = luma.reserve(lumaColumns * lumaRows)
      copies.append(
        PlaneCopy(
          source: source.luma, columns: size.width, rows: size.height, target: scratch,
          paddedColumns: lumaColumns, rowsPerChromaRow: lumaRows / rows, table: conversion?.luma))
      result.luma = Plane(start: UnsafePointer(scratch), bytesPerRow: lumaColumns)
    }
    if conversion != nil || source.cb.step != 1 {
      let blue = cb.reserve(columns * rows)
      let red = cr.reserve(columns * rows)
      for (plane, scratch) in [(source.cb, blue), (source.cr, red)] {
        copies.append(
          PlaneCopy(
            source: plane, columns: columns, rows: rows, target: scratch, paddedColumns: columns,
            rowsPerChromaRow: 1, table: conversion?.chroma))
      }
      if let matrix = conversion?.matrix {
        change = MatrixChange(
          matrix: matrix, luma: luma.reserve(lumaColumns * lumaRows), cb: blue, cr: red,
          columns: columns, lumaRowsPerChromaRow: lumaRows / rows)
      }
      result.cb = Plane(start: UnsafePointer(blue), bytesPerRow: columns)
      result.cr = Plane(start: UnsafePointer(red), bytesPerRow: columns)
    }
    return Prepared(
      planes: [result.luma, result.cb, result.cr], sampling: sampling, chromaRows: rows,
      copies: copies, change: change)
  }
}
