package import Devices

/// The average of several frames of a scene, in which noise falls by the root of their number.
///
/// Frames are aligned with the first by whole pixels. A frame is left out of parts where it differs
/// from the first one by more than noise, so nothing that moves leaves a ghost. Light is averaged,
/// and not samples; see ``TransferTable``. Frames whose shift cannot be told are left out
/// altogether.
package enum FrameAveraging {
  /// Averages frames; the result depends only on the frames.
  ///
  /// - Parameters:
  ///   - frames: the frames' bytes, 1...16, first the one of the wanted moment; only read during
  ///     the call.
  ///   - format: the format of all frames.
  ///   - threadCount: the number of threads for the work; less than 1 counts as 1.
  /// - Throws: ``ImagingError``: `malformedFrame`, or `unsupported` for MJPEG and for other numbers
  ///   of frames.
  /// - Complexity: O(pixels × frames); blocks the calling thread.
  package static func average(
    _ frames: [UnsafeRawBufferPointer], format: StreamFormat, threadCount: Int = 1
  ) throws(ImagingError) -> MergedFrame {
    let sources = aligned(try MergeSource.all(frames, format), format, threadCount: threadCount)
    let tiles = TileGrid(format.size, side: 16)
    let agreement = TileAgreement(size: format.size, tiles: tiles, sources: sources)
    let weights = agreement.weights(format, threadCount: threadCount)
    let merge = WeightedMerge(
      format: format, tiles: tiles, sources: sources, weights: weights, isLinear: true)
    return merge.run(threadCount: threadCount)
  }

  /// Returns the first frame, and the others with their shifts as far as these can be told.
  private static func aligned(
    _ sources: [MergeSource], _ format: StreamFormat, threadCount: Int
  ) -> [MergeSource] {
    let samples = SampleGrid.brightness(of: format)
    var profiles = [FrameProfile?](repeating: nil, count: sources.count)
    let count = min(max(threadCount, 1), sources.count)
    profiles.withUnsafeMutableBufferPointer { profiles in
      ParallelWork.perform(count) { thread in
        for index in stride(from: thread, to: sources.count, by: count) {
          profiles[index] = FrameProfile(sources[index], samples)
        }
      }
    }
    guard let first = profiles[0] else { return [sources[0]] }
    var aligned = [sources[0]]
    for (source, profile) in zip(sources, profiles).dropFirst() {
      guard let profile, let shift = FrameShift(profile, against: first) else { continue }
      aligned.append(MergeSource(start: source.start, shift: shift))
    }
    return aligned
  }
}
