package import Devices

/// The merge of frames of different focus into one that takes each part where it is sharp.
///
/// The sharpness of a part is its squared gradient, averaged over its neighbors. The sharpest frame
/// has nearly all the weight, and plain parts have equal weights. The frames are not aligned. A
/// lens whose picture grows with its focus needs frames that were scaled before.
package enum FocusStacking {
  /// Merges frames; the result depends only on the frames.
  ///
  /// - Parameters:
  ///   - frames: the frames' bytes, 1...16, in any order; only read during the call.
  ///   - format: the format of all frames.
  ///   - threadCount: the number of threads for the work; less than 1 counts as 1.
  /// - Throws: ``ImagingError``: `malformedFrame`, or `unsupported` for MJPEG and for other numbers
  ///   of frames.
  /// - Complexity: O(pixels × frames); blocks the calling thread.
  package static func stack(
    _ frames: [UnsafeRawBufferPointer], format: StreamFormat, threadCount: Int = 1
  ) throws(ImagingError) -> MergedFrame {
    let sources = try MergeSource.all(frames, format)
    let tiles = TileGrid(format.size, side: 16)
    var weights = sources.map { source in
      let sums = source.contrasts(
        SampleGrid.brightness(of: format), tiles, threadCount: threadCount)
      let energies = (0..<tiles.count).map { tile in
        sums[tile].meanEnergy + sums[tiles.count + tile].meanEnergy + 0.1
      }
      return TilePicture(columns: tiles.columns, rows: tiles.rows, values: energies).smoothed()
    }
    TilePicture.normalize(&weights)
    // A frame with half the gradient, and so a quarter of the energy, gets a share of 1 in 64.
    for index in weights.indices {
      weights[index].values = weights[index].values.map { $0 * $0 * $0 }
    }
    TilePicture.normalize(&weights)
    let merge = WeightedMerge(
      format: format, tiles: tiles, sources: sources,
      weights: weights.map { $0.smoothed().weights })
    return merge.run(threadCount: threadCount)
  }
}
