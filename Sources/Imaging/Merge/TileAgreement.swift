import Devices

/// The tiles of several frames in which nothing differs from the first frame but noise.
///
/// The noise is estimated from the frames: the lower quartile of the tiles' mean squared
/// differences, for each kind of sample and each sixteenth of its range. So neither motion in
/// half of the picture nor a part without noise misleads the estimate. A range that only a moving
/// thing has cannot raise the limit by more than ``spread``.
struct TileAgreement {
  private static let levelCount = 16
  /// The maximum ratio of the noise at some level to the noise at all levels.
  private static let spread: Float = 3
  /// The minimum mean squared difference that counts as noise: the rounding of samples.
  private static let leastNoise: Float = 0.25

  let size: FrameSize
  let tiles: TileGrid
  /// The frames, the first of which the others are compared with.
  let sources: [MergeSource]

  /// Returns the weights for ``WeightedMerge``: all of the first frame, and of the others the
  /// tiles that agree with it and are surrounded by such tiles.
  ///
  /// The weights are interpolated over half of each neighbor, so a tile that differs gets nothing.
  func weights(_ format: StreamFormat, threadCount: Int) -> [[Int32]] {
    let others = Array(sources.dropFirst())
    var agrees = others.flatMap { source in
      (0..<tiles.count).map { isShown($0, source.shift) }
    }
    for samples in SampleGrid.all(of: format) {
      let sums = TileSums.all(
        sources[0], against: others, of: samples, tiles, threadCount: threadCount)
      let noise = Self.noise(sums)
      for index in sums.indices where agrees[index] {
        agrees[index] = Self.isNoise(sums[index], noise[Self.level(sums[index])])
      }
    }
    return [[Int32](repeating: WeightedMerge.unit, count: tiles.count)]
      + others.indices.map { index in surrounded(agrees[(index * tiles.count)...]) }
  }

  /// Returns the mean squared difference by noise, for each sixteenth of the samples' range.
  private static func noise(_ sums: [TileSums]) -> [Float] {
    var levels = [[Float]](repeating: [], count: levelCount)
    // So many tiles tell enough, and fewer are sorted sooner. The step is odd to meet all columns.
    for index in stride(from: 0, to: sums.count, by: sums.count / 16_384 | 1) {
      levels[level(sums[index])].append(sums[index].meanEnergy)
    }
    func quartile(_ values: [Float]) -> Float {
      values.isEmpty ? 0 : max(values.sorted()[values.count / 4], leastNoise)
    }
    let all = quartile(levels.flatMap { $0 })
    return levels.map { values in
      values.count < 32 ? all : min(max(quartile(values), all / spread), all * spread)
    }
  }

  private static func level(_ sums: TileSums) -> Int { Int(sums.mean) * levelCount / 256 }

  private static func isNoise(_ sums: TileSums, _ noise: Float) -> Bool {
    // Eleven deviations of independent samples; a camera's samples depend on each other.
    let limit = noise * (1 + 16 / sums.count.squareRoot())
    // A light that changes by less than this leaves no visible border.
    let meanLimit = max(2.25, 36 * noise / sums.count)
    return sums.meanEnergy <= limit && sums.meanChange * sums.meanChange <= meanLimit
  }

  /// Returns whether a shifted frame has all pixels of a tile.
  private func isShown(_ tile: Int, _ shift: FrameShift) -> Bool {
    func isInside(_ index: Int, _ shift: Int, _ length: Int) -> Bool {
      let first = index * tiles.side + shift
      return first >= 0 && min(first + tiles.side, length + shift) <= length
    }
    return isInside(tile % tiles.columns, shift.columns, size.width)
      && isInside(tile / tiles.columns, shift.rows, size.height)
  }

  /// Returns the full weight for tiles that agree and whose neighbors do, and none for others.
  private func surrounded(_ agrees: ArraySlice<Bool>) -> [Int32] {
    (0..<tiles.count).map { tile in
      let (row, column) = tile.quotientAndRemainder(dividingBy: tiles.columns)
      for y in max(row - 1, 0)...min(row + 1, tiles.rows - 1) {
        for x in max(column - 1, 0)...min(column + 1, tiles.columns - 1)
        where !agrees[agrees.startIndex + y * tiles.columns + x] {
          return 0
        }
      }
      return WeightedMerge.unit
    }
  }
}
