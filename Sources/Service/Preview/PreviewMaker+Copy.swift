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
  ///
  /// All glances have the same size, whether the frame has a preview or not.
  func glance() async throws -> GrayPicture {
    let frame = try await frame().frame
    let size = frame.format.size
    let least = size.fitted(
      within: FrameSize(width: GrayPicture.glanceColumns, height: size.height))
    return try frame.withPicture(ofAtLeast: least) { bytes, format in
      try GrayPicture.glance(bytes: bytes, format: format, shape: size)
    }
  }
}
