import API
import Capture
import Devices
import Imaging

/// The pictures for viewers of the preview.
extension PreviewMaker: PreviewSource {
  /// The quality of JPEG images for viewers.
  private static let quality = 80

  func arrivals() async -> AsyncStream<UInt64> {
    await session.previewArrivals.listen(limit: 1)
  }

  /// Makes pictures of the newest frame, which is released before the encoding.
  func shot(within limits: Set<FrameSize>) async -> Result<PreviewShot, PreviewShotRefusal> {
    let pause: Duration
    do throws(APIError) {
      pause = try await pauseForHeat()
    } catch {
      return .failure(.stopped(error))
    }
    do {
      let frame = try await frame()
      let copies = try FrameCopies(of: frame.frame, within: limits)
      frame.frame.end()
      var made: [FrameSize: PreviewPicture] = [:]
      var pictures: [FrameSize: PreviewPicture] = [:]
      for (limit, copy) in copies.copies {
        let size = copy.format.size
        if made[size] == nil {
          made[size] = PreviewPicture(
            jpeg: try jpeg(of: copy), frame, angle: frame.previewAngle, sharpness: copies.focus)
        }
        pictures[limit] = made[size]
      }
      return .success(PreviewShot(frame: frame.frame.info.id, pictures: pictures, pause: pause))
    } catch PreviewRefusal.noFrames(let reason) {
      return .failure(.outage(Self.refusal(reason)))
    } catch PreviewRefusal.capturing {
      return .failure(.busy(Self.busy))
    } catch {
      return .failure(
        .outage(APIError(.internalError, "The frame cannot be shown: \(error).")))
    }
  }

  /// The refusal while presses need the frames.
  static let busy = APIError(
    .unavailable, "There is no preview while presses need the frames; try again soon.")

  /// Encodes a copy of a frame.
  func jpeg(of copy: ScaledFrame) throws -> [UInt8] {
    let encoder = try self.encoder ?? JPEGEncoder()
    self.encoder = encoder
    return try copy.bytes.withUnsafeBytes { bytes in
      try encoder.encode(bytes: bytes, format: copy.format, quality: Self.quality)
    }
  }
}

extension PreviewPicture {
  /// Makes the picture of a frame.
  init(jpeg: [UInt8], _ frame: PreviewFrame, angle: Int, sharpness: Double) {
    let info = frame.frame.info
    self.init(
      jpeg: jpeg, frame: Int64(clamping: info.id),
      sensorTimeNanoseconds: info.timestamp.nanoseconds, angle: angle,
      isMirrored: frame.isMirrored, sharpness: sharpness,
      exposureMicroseconds: info.exposureDuration.map { $0.wholeNanoseconds / 1000 },
      gain: info.analogueGain.map { $0 * (info.digitalGain ?? 1) })
  }
}
