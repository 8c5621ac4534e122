import Capture
import Devices
import Imaging
import Logging

/// The merging of a bracket's frames: exposures are fused, and focus distances are stacked.
extension PhotoPipeline {
  /// The frames of a bracket, and what became of them.
  struct MergedBracket: Sendable {
    /// The photos of the bracket in order; one for a press without a bracket.
    var steps: [CapturedPhoto]
    /// The merged frame; `nil` for none.
    var merged: MergedFrame?
  }

  /// Merges the frames of a bracket, if that is wanted.
  ///
  /// The memory beside the frames is that of the result, and of some numbers for each tile. The
  /// frames of a bracket that cannot be merged are kept, and its photos have the reason.
  func merge(_ photo: CapturedPhoto) async -> MergedBracket {
    var bracket = MergedBracket(steps: [photo] + photo.companions)
    guard photo.settings.merge != .off, bracket.steps.count > 1 else { return bracket }
    let format = photo.frame.format
    let leases = bracket.steps.map(\.frame)
    let isOfExposures = photo.bracket?.exposureBias != nil
    var reason = UnmergedReason.failed
    do {
      bracket.merged = try await pool.perform {
        [availableMemory] _, threadCount -> MergedFrame? in
        // Half of it is left to encoding and to the other parts of the service.
        guard availableMemory() ?? .max >= 4 * format.byteCount else { return nil }
        return try CapturedPhoto.withBytes(ofAll: leases) { frames -> MergedFrame in
          if isOfExposures {
            return try ExposureFusion.fuse(frames, format: format, threadCount: threadCount)
          }
          return try FocusStacking.stack(frames, format: format, threadCount: threadCount)
        }
      }
      if bracket.merged == nil { reason = .memory }
    } catch {
      logger.warning(
        "a bracket could not be merged, going on with its pictures",
        metadata: ["press.number": "\(photo.press.number)", "error": "\(error)"])
    }
    for index in bracket.steps.indices {
      if bracket.merged == nil { bracket.steps[index].settings.unmerged = reason }
      // The memory is released now, because the camera needs it and the disk may be slow.
      if bracket.merged != nil, photo.settings.merge == .only, !photo.expectsRaw {
        bracket.steps[index].frame.end()
      }
    }
    return bracket
  }
}

extension CapturedPhoto {
  /// Makes the photo of a merged frame: the one of the step nearest the metered exposure.
  init(mergedOf steps: [CapturedPhoto]) {
    self = steps[0]
    for step in steps {
      let (one, other) = (step.bracket?.exposureBias ?? 0, bracket?.exposureBias ?? 0)
      if abs(one) < abs(other) { self = step }
    }
    bracket = BracketPlace(index: nil, count: steps.count, exposureBias: nil)
    companions = []
  }
}
