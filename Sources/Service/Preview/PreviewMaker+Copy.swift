import Capture
import Devices
import Imaging

/// The frames for the readers of the page, copied so that their lease ends at once.
extension PreviewMaker {
  /// A copy of a frame, which outlives the frame's lease.
  struct FrameCopy: Sendable {
    var bytes: [UInt8]
    var format: StreamFormat
    var info: FrameInfo
    var previewAngle: Int
    var isMirrored: Bool
  }

  /// Copies the newest frame.
  func copy() async throws -> FrameCopy {
    let frame = try await frame()
    let lease = frame.frame
    return FrameCopy(
      bytes: try lease.withBytes { Array($0) }, format: lease.format, info: lease.info,
      previewAngle: frame.previewAngle, isMirrored: frame.isMirrored)
  }

  /// Returns the newest frame as a small gray picture, in the sensor's position.
  func glance() async throws -> GrayPicture {
    let frame = try await frame()
    return try frame.frame.withBytes { bytes in
      try GrayPicture.glance(bytes: bytes, format: frame.frame.format)
    }
  }
}
