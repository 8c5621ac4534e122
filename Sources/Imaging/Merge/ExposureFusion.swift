package import Devices
import Glibc

/// The fusion of a scene's frames of different exposures into one that shows the detail of all.
///
/// The weights are those of T. Mertens, J. Kautz and F. Van Reeth, "Exposure Fusion" (2007):
/// contrast, saturation, and nearness to the middle of the range. The method blends a Laplacian
/// pyramid. Here the pyramid begins at tiles of 8 × 8 pixels, and its three finest levels are one:
/// a weighted mean of the frames, with the weights interpolated between tiles. The coarser levels
/// are fused as in the paper, down to four tiles. Their difference from the weighted mean is added.
///
/// So the frames are read twice, from top to bottom, and only some numbers for each tile are kept:
/// at 12 megapixels about 20 MiB beside the result. A whole pyramid takes some 740 MiB, and its
/// stripes would need an overlap of twice the coarsest level's reach. Halos appear where weights
/// change faster than the level that they blend. The weights here are linear over 8 pixels at the
/// finest level, and every coarser level has its own weights. As in the paper, light and dark parts
/// keep some of their difference at a common border, and lose it slowly with the distance.
///
/// The samples themselves are blended, because their curve is close to perception. The frames are
/// not aligned: frames of different exposures differ in every sample.
package enum ExposureFusion {
  /// The deviation from the middle of the range that lowers a weight to 61 %; from the paper.
  private static let deviation: Float = 0.2
  /// The contrast that flat parts count as having, so that their exposure decides.
  private static let leastContrast: Float = 0.05

  /// Fuses frames; the result depends only on the frames.
  ///
  /// - Parameters:
  ///   - frames: the frames' bytes, 1...16, in any order; only read during the call.
  ///   - format: the format of all frames.
  ///   - threadCount: the number of threads for the work; less than 1 counts as 1.
  /// - Throws: ``ImagingError``: `malformedFrame`, or `unsupported` for MJPEG and for other numbers
  ///   of frames.
  /// - Complexity: O(pixels × frames); blocks the calling thread.
  package static func fuse(
    _ frames: [UnsafeRawBufferPointer], format: StreamFormat, threadCount: Int = 1
  ) throws(ImagingError) -> MergedFrame {
    let sources = try MergeSource.all(frames, format)
    let tiles = TileGrid(format.size, side: 8)
    let measures = sources.map { measure($0, format, tiles, threadCount: threadCount) }
    let levels = measures.map { $0.level }
    var weights = measures.map { $0.weight }
    TilePicture.normalize(&weights)
    var difference = fuse(levels, weights).values
    for (level, weight) in zip(levels, weights) {
      for index in difference.indices {
        difference[index] -= level.values[index] * weight.values[index]
      }
    }
    let units = Float(TransferTable.unitsPerLevel)
    let merge = WeightedMerge(
      format: format, tiles: tiles, sources: sources, weights: weights.map(\.weights),
      correction: difference.map { Int32(($0 * units).rounded()) })
    return merge.run(threadCount: threadCount)
  }

  /// Returns the mean brightness of a frame's tiles, 0...255, and their weights, above 0.
  private static func measure(
    _ source: MergeSource, _ format: StreamFormat, _ tiles: TileGrid, threadCount: Int
  ) -> (level: TilePicture, weight: TilePicture) {
    let sums = source.contrasts(
      SampleGrid.brightness(of: format), tiles, threadCount: threadCount)
    // The colors, or the differences of color and no difference.
    var tints = SampleGrid.all(of: format).filter { format.isRGB || $0.isChroma }.map { samples in
      TileSums.all(source, against: [source], of: samples, tiles, threadCount: threadCount)
        .map(\.mean)
    }
    if !format.isRGB { tints.append([Float](repeating: 128, count: tiles.count)) }
    let range = format.brightnessRange
    let (middle, length) = (
      Float(range.lowerBound + range.upperBound) / 2, Float(range.upperBound - range.lowerBound)
    )
    let weights = (0..<tiles.count).map { tile in
      let (sum, below) = (sums[tile], sums[tiles.count + tile])
      let contrast = ((sum.meanEnergy + below.meanEnergy) / 2).squareRoot() / 255
      // The mean square also counts tiles half black and half white as far from the middle.
      let far = (sum.meanSquare - 2 * middle * sum.mean + middle * middle) / (length * length)
      let colors = tints.map { $0[tile] }
      let saturation = ((colors.max() ?? 0) - (colors.min() ?? 0)) / 255
      let exposure = expf(-far / (2 * deviation * deviation))
      return exposure * (leastContrast + contrast) * (1 + saturation) + 1e-6
    }
    return (
      TilePicture(
        columns: tiles.columns, rows: tiles.rows, values: sums.prefix(tiles.count).map(\.mean)),
      TilePicture(columns: tiles.columns, rows: tiles.rows, values: weights)
    )
  }

  /// Fuses the levels of a pyramid from the given one upward.
  private static func fuse(_ levels: [TilePicture], _ weights: [TilePicture]) -> TilePicture {
    var fused = levels[0]
    fused.values = [Float](repeating: 0, count: fused.values.count)
    var bases = levels.map { _ in fused }
    if min(fused.columns, fused.rows) > 4 {
      let smaller = levels.map { $0.halved() }
      bases = smaller.map { $0.doubled(to: fused) }
      fused = fuse(smaller, weights.map { $0.halved() }).doubled(to: fused)
    }
    for frame in levels.indices {
      for index in fused.values.indices {
        let detail = levels[frame].values[index] - bases[frame].values[index]
        fused.values[index] += weights[frame].values[index] * detail
      }
    }
    return fused
  }
}

extension MergeSource {
  /// Returns the sums of all tiles with the samples two to the right, then two below.
  ///
  /// The mean squared differences are the parts of Brenner's gradient; see ``FocusMeasure``.
  func contrasts(_ samples: SampleGrid, _ tiles: TileGrid, threadCount: Int) -> [TileSums] {
    let others = [FrameShift(columns: 2, rows: 0), FrameShift(columns: 0, rows: 2)].map {
      MergeSource(start: start, shift: $0)
    }
    return TileSums.all(self, against: others, of: samples, tiles, threadCount: threadCount)
  }
}
