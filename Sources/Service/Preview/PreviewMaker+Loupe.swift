import API
import Capture
import Devices
import Imaging

/// The view of a part of the newest frame in full resolution.
extension PreviewMaker {
  /// The time that presses, or other views, may delay a view.
  private static let loupeTimeout = Duration.seconds(5)

  /// Returns a part of the newest frame, turned upright by the preview angle.
  ///
  /// The sharpness is that of the part. A view rests as long as the one before took, and as long as
  /// the heat requires. So all callers together use at most half of a core.
  ///
  /// - Throws: `APIError`: `conflict` while no camera gives frames, `unavailable` while all frames
  ///   are needed for pictures or the rig is too hot.
  func loupe(_ wanted: LoupeRequest) async throws(APIError) -> PreviewPicture {
    let pause = try await pauseForHeat()
    let deadline = clock.now.advanced(by: Self.loupeTimeout)
    while true {
      let isResting = loupeRestsUntil.map { clock.now < $0 } ?? false
      do {
        if !isResting { return try await look(at: wanted, pause: pause) }
      } catch PreviewRefusal.noFrames(let reason) {
        throw Self.refusal(reason)
      } catch PreviewRefusal.capturing {
      } catch {
        throw APIError(.internalError, "The frame cannot be shown: \(error).")
      }
      guard clock.now < deadline else { throw Self.busy }
      // Only a lease shows that a frame is free.
      do {
        try await clock.sleep(for: Self.retryInterval)
      } catch {
        throw APIError(.unavailable, "The view was called off.")
      }
    }
  }

  private func look(at wanted: LoupeRequest, pause: Duration) async throws -> PreviewPicture {
    let frame = try await frame()
    let began = clock.now
    let part = try frame.frame.withBytes { bytes in
      try ScaledFrame.part(of: bytes, format: frame.frame.format) { size in
        TurnedRegion(
          of: size, turned: frame.previewAngle, x: wanted.x, y: wanted.y,
          size: FrameSize(width: wanted.width, height: wanted.height))
      }
    }
    frame.frame.end()
    let picture = PreviewPicture(
      jpeg: try jpeg(of: part), frame, angle: 0, sharpness: try part.focus())
    let ended = clock.now
    loupeRestsUntil = max(
      ended.advanced(by: began.duration(to: ended)), began.advanced(by: pause))
    return picture
  }
}
