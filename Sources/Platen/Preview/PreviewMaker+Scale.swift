import API
import Capture
import Devices
import Imaging

/// Measures a sheet on a frame as a picture would have it; captures come first, as with previews.
extension PreviewMaker {
  /// How long presses, or a lens that moves, may keep a measurement waiting.
  private static let scalePatience = Duration.seconds(5)

  /// A scale, and the frame that it was measured on.
  struct Measurement: Sendable {
    var scale: SheetScale
    var frame: FrameInfo
    var frameSize: FrameSize
    var camera: CameraDescription.ID
  }

  /// Measures the sheet in the newest frame whose lens rests.
  ///
  /// - Throws: `APIError` as ``API/CaptureSessionService/measureScale(_:)`` does.
  func measure(_ sheet: SheetSize) async throws(APIError) -> Measurement {
    let deadline = clock.now.advanced(by: Self.scalePatience)
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
      do {
        try await clock.sleep(for: .milliseconds(20))
      } catch {
        throw APIError(.unavailable, "The measurement was called off.")
      }
    }
  }

  /// Measures on a frame, which is given back on return; `nil` while the lens moves.
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
