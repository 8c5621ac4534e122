public import Devices
import Logging

/// The resolution that pictures of a camera claim.
extension CaptureSession {
  /// Keeps the scale that was measured on a frame, in storage, too, in place of what held for that frame.
  ///
  /// It is entered after changes of the configuration that were asked for before. Calibrating the camera
  /// anew leaves it; ``forgetCalibration()`` forgets it as well.
  ///
  /// - Parameters:
  ///   - pixelsPerInch: the frame's pixels to an inch of the page, above 0.
  ///   - frame: a frame that shows it; its memory may have been given back.
  /// - Returns: the scale as it is kept.
  /// - Throws: `DeviceError`, code `inputOutput`, when it could not be stored; what was kept holds then.
  @discardableResult
  public func keepScale(
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

  /// The measured pixels to an inch of the page in a frame; `nil` when no scale holds for it.
  func pixelsPerInch(of frame: FrameLease, camera: CameraDescription.ID) -> Double? {
    scales[camera]?.first { $0.holds(for: frame.info, size: frame.format.size) }?.pixelsPerInch
  }
}
