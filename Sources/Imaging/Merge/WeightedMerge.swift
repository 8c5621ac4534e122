import Devices

/// The weighted mean of several frames, with weights that change smoothly from tile to tile.
///
/// Every sample depends on its own place only, so the result is the same for any number of threads.
/// The memory beyond the frames is the result, the weights and some rows for each thread.
struct WeightedMerge {
  /// The weight of a frame that is taken alone, and the greatest weight.
  static let unit: Int32 = 1024

  let format: StreamFormat
  let tiles: TileGrid
  let sources: [MergeSource]
  /// The weight of each tile in each frame, 0...``unit``; the sum is zero in no tile.
  let weights: [[Int32]]
  /// The addition to brightness or colors for each tile, in units of ``TransferTable/coded``.
  var correction: [Int32]?
  /// Whether light is averaged, and not the samples.
  var isLinear = false

  /// Makes the merged frame.
  func run(threadCount: Int) -> MergedFrame {
    let light = isLinear ? TransferTable.light(format.brightnessRange) : TransferTable.coded
    var bytes = [UInt8](repeating: 0, count: format.byteCount)
    bytes.withUnsafeMutableBufferPointer { buffer in
      guard let start = buffer.baseAddress else { return }
      for samples in SampleGrid.all(of: format) {
        tiles.perform(threadCount, of: samples) { rows in
          merge(rows, of: samples, samples.isChroma ? .coded : light, to: start + samples.offset)
        }
      }
    }
    let parts = weights.reduce(0) { $0 + $1.count(where: { $0 > 0 }) }
    return MergedFrame(
      format: format, bytes: bytes, meanFrameCount: Double(parts) / Double(tiles.count),
      usedFrameCount: weights.count(where: { $0.contains { $0 > 0 } }))
  }

  private func merge(
    _ rows: Range<Int>, of samples: SampleGrid, _ table: TransferTable,
    to output: UnsafeMutablePointer<UInt8>
  ) {
    let count = samples.columns
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: count) { line in
      withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 2 * count) { sums in
        withUnsafeTemporaryAllocation(of: Int32.self, capacity: count + tiles.columns) { shares in
          guard let line = line.baseAddress, let sums = sums.baseAddress,
            let shares = shares.baseAddress
          else { return }
          for row in rows {
            sums.initialize(repeating: 0, count: 2 * count)
            for (source, weights) in zip(sources, weights) {
              source.read(row, of: samples, to: line)
              interpolate(weights, row, samples, shares)
              Self.add(line, shares, table.numbers, sums, count: count)
            }
            shares.initialize(repeating: 0, count: count)
            if let correction, !samples.isChroma { interpolate(correction, row, samples, shares) }
            Self.finish(sums, shares, table.samples, output + row * samples.bytesPerRow, samples)
          }
        }
      }
    }
  }

  private func interpolate(
    _ values: [Int32], _ row: Int, _ samples: SampleGrid, _ target: UnsafeMutablePointer<Int32>
  ) {
    values.withUnsafeBufferPointer { values in
      guard let values = values.baseAddress else { return }
      let edges = target + samples.columns
      tiles.interpolate(values, row: row, of: samples, edges: edges, to: target)
    }
  }

  /// Adds a row to the sums, and its weights to the totals behind the sums; all are below 2 to 28.
  private static func add(
    _ line: UnsafePointer<UInt8>, _ weights: UnsafePointer<Int32>, _ numbers: [UInt32],
    _ sums: UnsafeMutablePointer<UInt32>, count: Int
  ) {
    numbers.withUnsafeBufferPointer { numbers in
      guard let numbers = numbers.baseAddress else { return }
      for index in 0..<count {
        let weight = UInt32(bitPattern: weights[index])
        sums[index] &+= weight &* numbers[Int(line[index])]
        sums[count &+ index] &+= weight
      }
    }
  }

  /// Writes the quotients of sums and totals, with corrections, as samples.
  private static func finish(
    _ sums: UnsafePointer<UInt32>, _ corrections: UnsafePointer<Int32>, _ table: [UInt8],
    _ target: UnsafeMutablePointer<UInt8>, _ samples: SampleGrid
  ) {
    let (count, step) = (samples.columns, samples.step)
    table.withUnsafeBufferPointer { table in
      guard let table = table.baseAddress else { return }
      for index in 0..<count {
        let total = max(sums[count &+ index], 1)
        let mean = Int32(bitPattern: (sums[index] &+ total / 2) / total)
        let number = min(max(mean &+ corrections[index], 0), Int32(TransferTable.top))
        target[step &* index] = table[Int(truncatingIfNeeded: number)]
      }
    }
  }
}
