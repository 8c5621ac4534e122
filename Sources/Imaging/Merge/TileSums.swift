/// The sums of a tile's samples, and of their differences from another frame.
struct TileSums {
  /// The number of samples.
  private var sampleCount: Int32 = 0
  /// The sums of samples, of their squares, of differences and of squared differences.
  private var level: Int32 = 0, power: Int32 = 0, change: Int32 = 0, energy: Int32 = 0

  /// The number of samples, 1...256.
  var count: Float { Float(sampleCount) }
  /// The mean sample.
  var mean: Float { Float(level) / count }
  /// The mean square of the samples.
  var meanSquare: Float { Float(power) / count }
  /// The mean difference.
  var meanChange: Float { Float(change) / count }
  /// The mean squared difference.
  var meanEnergy: Float { Float(energy) / count }

  /// Adds up all tiles of a frame, once with each of the other frames.
  ///
  /// - Returns: the sums of all tiles with the first of the others, then with the second.
  static func all(
    _ frame: MergeSource, against others: [MergeSource], of samples: SampleGrid, _ tiles: TileGrid,
    threadCount: Int
  ) -> [TileSums] {
    var sums = [TileSums](repeating: TileSums(), count: others.count * tiles.count)
    let count = samples.columns
    sums.withUnsafeMutableBufferPointer { sums in
      guard let sums = sums.baseAddress else { return }
      tiles.perform(threadCount, of: samples) { rows in
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 2 * count) { lines in
          guard let line = lines.baseAddress else { return }
          for row in rows {
            frame.read(row, of: samples, to: line)
            let tileRow = row * samples.down / tiles.side
            for (index, other) in others.enumerated() {
              other.read(row, of: samples, to: line + count)
              let target = sums + (index * tiles.rows + tileRow) * tiles.columns
              add(line, count, tiles.side / samples.across, to: target)
            }
          }
        }
      }
    }
    return sums
  }

  /// Adds a row, behind which the other frame's row lies in memory.
  private static func add(
    _ line: UnsafePointer<UInt8>, _ count: Int, _ width: Int,
    to tiles: UnsafeMutablePointer<TileSums>
  ) {
    var tile = tiles
    for first in stride(from: 0, to: count, by: width) {
      let end = min(first &+ width, count)
      var (level, power, change, energy): (Int32, Int32, Int32, Int32) = (0, 0, 0, 0)
      for index in first..<end {
        let sample = Int32(line[index])
        let difference = sample &- Int32(line[count &+ index])
        level &+= sample
        power &+= sample &* sample
        change &+= difference
        energy &+= difference &* difference
      }
      tile.pointee.sampleCount &+= Int32(truncatingIfNeeded: end &- first)
      tile.pointee.level &+= level
      tile.pointee.power &+= power
      tile.pointee.change &+= change
      tile.pointee.energy &+= energy
      tile += 1
    }
  }
}
