import API
import Capture
import Devices
import Imaging

/// The measurement of a sheet on a frame with a picture's size; captures come first.
extension PreviewMaker {
  /// The time that presses, or a moving lens, may delay a measurement.
  private static let scaleTimeout = Duration.seconds(5)

  /// A scale and its frame.
  struct Measurement: Sendable {
    var scale: SheetScale
    var frame: FrameInfo
    var frameSize: FrameSize
    var camera: CameraDescription.ID
  }

  /// Measures the sheet in the newest frame whose lens does not move.
  ///
  /// - Throws: `APIError`: `conflict` while no camera gives frames and when no such sheet is found,
  ///   `unavailable` while all frames are needed for pictures.
  func measure(_ sheet: SheetSize) async throws(APIError) -> Measurement {
    let deadline = clock.now.advanced(by: Self.scaleTimeout)
    while true {
      do {
        if let measurement = try Self.measure(sheet, on: try await frame()) {
          return measurement
        }
      } catch PreviewRefusal.noFrames(let reason) {
        throw Self.refusal(reason)
      } catch PreviewRefusal.capturing {
      } catch let refusal as SheetRefusal {
        throw APIError(.conflict, refusal.description)
      } catch {
        throw APIError(.internalError, "The frame cannot be measured: \(error).")
      }
      guard clock.now < deadline else {
        throw APIError(
          .unavailable, "Presses need the frames, or the lens moves all the time; try again soon.")
      }
      // Only a lease shows that a frame is free and that the lens rests.
      do {
        try await clock.sleep(for: Self.retryInterval)
      } catch {
        throw APIError(.unavailable, "The measurement was called off.")
      }
    }
  }

  /// Measures the sheet on a frame and releases the frame; returns `nil` while the lens moves.
  private static func measure(_ sheet: SheetSize, on frame: PreviewFrame) throws -> Measurement? {
    let lease = frame.frame
    guard lease.info.focusState != .scanning else { return nil }
    let scale = try lease.withBytes { bytes in
      try SheetScale.measure(bytes: bytes, format: lease.format, sheet: sheet).get()
    }
    return Measurement(
      scale: scale, frame: lease.info, frameSize: lease.format.size, camera: frame.camera)
  }
}
