package import Devices
import Logging

/// The resolution of a camera's pictures.
extension CaptureSession {
  /// Keeps the scale measured on a frame, in storage as well, replacing the scale for that frame.
  ///
  /// The change waits for earlier changes of the configuration. A new calibration of the camera
  /// keeps the scale; ``forgetCalibration()`` removes it.
  ///
  /// - Parameters:
  ///   - pixelsPerInch: the frame's pixels to an inch of the page, above 0.
  ///   - frame: the measured frame; its memory may have been released.
  /// - Returns: the scale as it is kept.
  /// - Throws: `DeviceError`, code `inputOutput`, when the scale could not be stored; the previous
  ///   one then holds.
  @discardableResult
  package func keepScale(
    _ pixelsPerInch: Double, of frame: FrameInfo, size: FrameSize, camera: CameraDescription.ID
  ) async throws(DeviceError) -> CameraScale {
    await enterConfiguration()
    defer { configurationGate.leave() }
    let scale = CameraScale(pixelsPerInch: pixelsPerInch, of: frame, size: size)
    let others = (scales[camera] ?? []).filter { !$0.holds(for: frame, size: size) }
    let kept = Array(([scale] + others).prefix(CameraScale.keptCount))
    try await calibrationStorage?.store(kept, of: camera)
    scales[camera] = kept
    logger.notice(
      "camera's scale kept",
      metadata: ["camera.id": "\(camera)", "camera.pixels_per_inch": "\(pixelsPerInch)"])
    return scale
  }

  /// Returns the measured pixels to an inch of the page; `nil` when no scale holds for the frame.
  func pixelsPerInch(of frame: FrameLease, camera: CameraDescription.ID) -> Double? {
    scales[camera]?.first { $0.holds(for: frame.info, size: frame.format.size) }?.pixelsPerInch
  }
}
