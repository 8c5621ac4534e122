import Capture
import Devices
import Imaging
import Logging

/// The numbers of frames of which a picture was averaged or merged.
struct FrameCount: Sendable, Hashable {
  /// The number of frames that were taken.
  let taken: Int
  /// The number of those that any part of the picture was made of.
  let used: Int
  /// The mean number of frames that a part of the picture was made of.
  let mean: Double

  init(_ merged: MergedFrame, taken: Int) {
    self.taken = taken
    used = merged.usedFrameCount
    mean = merged.meanFrameCount
  }
}

/// The average of a photo's frame and its neighbors, which have less noise together.
extension PhotoPipeline {
  /// Averages the frames of a photo, and returns their memory to the camera.
  ///
  /// The frame itself is kept for a DNG file, and for a photo whose frames cannot be averaged.
  ///
  /// - Returns: the average; `nil` for a single frame, and after a failure, which is logged.
  func average(_ photo: CapturedPhoto) async -> MergedFrame? {
    guard !photo.neighbors.isEmpty else { return nil }
    defer { for neighbor in photo.neighbors { neighbor.end() } }
    do {
      let merged: MergedFrame = try await pool.perform { _, threadCount in
        try CapturedPhoto.withBytes(ofAll: [photo.frame] + photo.neighbors) { frames in
          try FrameAveraging.average(frames, format: photo.frame.format, threadCount: threadCount)
        }
      }
      if !photo.expectsRaw { photo.frame.end() }
      return merged
    } catch {
      logger.warning(
        "frames could not be averaged, going on with one",
        metadata: ["press.number": "\(photo.press.number)", "error": "\(error)"])
      return nil
    }
  }
}

extension CapturedPhoto {
  /// Calls a closure with the bytes of a merged frame, or with those of the frame without one.
  func withBytes<Success>(
    of merged: MergedFrame?, _ body: (UnsafeRawBufferPointer) throws -> Success
  ) throws -> Success {
    guard let merged else { return try frame.withBytes(body) }
    return try merged.bytes.withUnsafeBytes(body)
  }

  /// Calls a closure with the bytes of frames, in order.
  static func withBytes<Success>(
    ofAll leases: [FrameLease], _ body: ([UnsafeRawBufferPointer]) throws -> Success
  ) throws -> Success {
    guard let last = leases.last else { return try body([]) }
    return try last.withBytes { bytes in
      try withBytes(ofAll: Array(leases.dropLast())) { frames in try body(frames + [bytes]) }
    }
  }
}
