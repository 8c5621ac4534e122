package import Devices

/// The small pictures that tell whether something moves in a scene.
extension GrayPicture {
  /// The number of columns of a glance.
  package static let glanceColumns = 160
  /// The maximum numbers of samples that are read for a pixel, along and across.
  private static let samplesPerSide = 4
  /// The columns and rows of a tile.
  private static let tileSide = 10
  /// The mean difference in levels from which a tile has changed; noise and compression stay below.
  private static let changedFrom = 8.0

  /// Makes a small picture of a frame from few of its samples, in the sensor's position.
  ///
  /// - Parameters:
  ///   - bytes: the bytes of the frame or of its preview; only read during the call.
  ///   - format: the format of the bytes.
  ///   - shape: the size of the frame, whose shape the picture gets; `nil` for that of the format.
  /// - Throws: ``ImagingError``: `malformedFrame`, `malformedJPEG` or `unsupported`.
  /// - Complexity: O(pixels of the picture), except for formats that have to be converted first.
  package static func glance(
    bytes: UnsafeRawBufferPointer, format: StreamFormat, shape: FrameSize? = nil
  ) throws(ImagingError) -> GrayPicture {
    try LumaPlane.with(bytes, format) { plane in
      let shape = shape ?? plane.size
      let width = min(glanceColumns, plane.size.width)
      let height = min(max(1, shape.height * width / shape.width), plane.size.height)
      let columns = (0..<width).map { places($0, of: width, in: plane.size.width) }
      var luma: [UInt8] = []
      luma.reserveCapacity(width * height)
      for row in 0..<height {
        let rows = places(row, of: height, in: plane.size.height)
        for column in 0..<width {
          var sum = 0
          for y in rows {
            let samples = plane.start + y * plane.bytesPerRow
            for x in columns[column] { sum += Int(samples[x * plane.step]) }
          }
          luma.append(UInt8(clamping: sum / (rows.count * columns[column].count)))
        }
      }
      return GrayPicture(size: FrameSize(width: width, height: height), luma: luma)
    }
  }

  /// Returns a few places of one of `count` equal parts, evenly spread.
  private static func places(_ index: Int, of count: Int, in length: Int) -> [Int] {
    let span = Self.span(index, of: count, in: length)
    let step = max(1, span.count / samplesPerSide)
    return Array(stride(from: span.lowerBound, to: span.upperBound, by: step))
  }

  /// Returns whether each tile has changed since an earlier picture of the same size, row by row.
  ///
  /// The mean absolute difference of each tile is compared. The median change of a row of tiles is
  /// taken off before, so that light that flickers or is switched changes little.
  package func changes(since earlier: GrayPicture) -> [Bool] {
    precondition(size == earlier.size, "pictures of \(size) and \(earlier.size) are not comparable")
    let side = Self.tileSide
    let (across, down) = (max(1, size.width / side), max(1, size.height / side))
    return (0..<down).flatMap { row in
      let rows = Self.span(row, of: down, in: size.height)
      let spans = (0..<across).map { Self.span($0, of: across, in: size.width) }
      let shifts = spans.map { Self.mean(difference(from: earlier, $0, rows)) }.sorted()
      let shift = shifts[across / 2]
      return spans.map { columns in
        let differences = difference(from: earlier, columns, rows).map { abs($0 - shift) }
        return Self.mean(differences) >= Self.changedFrom
      }
    }
  }

  private func difference(
    from earlier: GrayPicture, _ columns: Range<Int>, _ rows: Range<Int>
  ) -> [Double] {
    rows.flatMap { row in
      columns.map { column in
        let index = row * size.width + column
        return Double(Int(luma[index]) - Int(earlier.luma[index]))
      }
    }
  }

  private static func mean(_ values: [Double]) -> Double {
    values.reduce(0, +) / Double(max(1, values.count))
  }

  /// Returns the means of equal fields of a part of the picture, row by row.
  ///
  /// - Parameters:
  ///   - count: the number of fields along and across.
  ///   - part: the part, in fractions of the picture's sides; a place outside is moved inside.
  package func fields(_ count: Int, of part: PageFindings.Region) -> [Double] {
    func edges(_ start: Double, _ length: Double, _ side: Int) -> [Double] {
      (0...count).map { min(max(start + length * Double($0) / Double(count), 0), 1) * Double(side) }
    }
    let columns = edges(part.x, part.width, size.width)
    let rows = edges(part.y, part.height, size.height)
    // The weight of each sample along a side is its share in the field.
    let across = zip(columns, columns.dropFirst()).map { Self.weights($0, $1, size.width) }
    let down = zip(rows, rows.dropFirst()).map { Self.weights($0, $1, size.height) }
    return down.flatMap { rows in
      across.map { columns in
        var sum = 0.0
        var weight = 0.0
        for (row, high) in rows {
          for (column, wide) in columns {
            sum += high * wide * Double(luma[row * size.width + column])
            weight += high * wide
          }
        }
        return weight > 0 ? sum / weight : 0
      }
    }
  }

  /// Returns the samples between two places along a side, with the covered share of each.
  private static func weights(
    _ start: Double, _ end: Double, _ count: Int
  ) -> [(index: Int, share: Double)] {
    (Int(start)..<max(Int(start), min(Int(end.rounded(.up)), count))).map { index in
      (index, min(end, Double(index + 1)) - max(start, Double(index)))
    }
  }
}
