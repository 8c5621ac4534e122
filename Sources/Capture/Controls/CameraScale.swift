package import Devices

/// The resolution that was measured on a sheet of known size, and the frames for which it holds.
package struct CameraScale: Sendable, Hashable, Codable {
  /// The maximum number of scales kept for a camera.
  static let keptCount = 32

  /// The frame's pixels to an inch of the page.
  package var pixelsPerInch: Double
  /// The size of the frame.
  package var frameSize: FrameSize
  /// The columns and rows of the sensor in the frame; `nil` when the camera does not report them.
  package var shownSensor: FrameSize?
  /// The lens position in diopters; `nil` when the camera does not report it.
  package var lensPosition: Double?

  package init(
    pixelsPerInch: Double, frameSize: FrameSize, shownSensor: FrameSize? = nil,
    lensPosition: Double? = nil
  ) {
    self.pixelsPerInch = pixelsPerInch
    self.frameSize = frameSize
    self.shownSensor = shownSensor
    self.lensPosition = lensPosition
  }

  /// Makes the scale that was measured on a frame.
  package init(pixelsPerInch: Double, of frame: FrameInfo, size: FrameSize) {
    self.init(
      pixelsPerInch: pixelsPerInch, frameSize: size, shownSensor: frame.crop?.size,
      lensPosition: Self.lensPosition(of: frame))
  }

  /// Returns whether the scale holds for a frame.
  ///
  /// The scale holds for frames of the same size that show as much of the sensor. The lens must be
  /// at the same position, within 2 % or 0.06 diopters.
  ///
  /// A lens focused at P diopters pictures a sharp page in proportion to P / (1 - f·P). Its focal
  /// length f in meters is a few millimeters, so 2 % of P are 2 % of the scale. Drivers round by up
  /// to 0.06 diopters. While the page stays in place, that changes the scale by f·ΔP only, which is
  /// below 0.1 %.
  package func holds(for frame: FrameInfo, size: FrameSize) -> Bool {
    guard size == frameSize, frame.crop?.size == shownSensor else { return false }
    let current = Self.lensPosition(of: frame)
    guard let lensPosition, let current else { return lensPosition == current }
    return abs(current - lensPosition) <= max(0.06, 0.02 * lensPosition)
  }

  /// Returns the lens position, 0 or more; `nil` when the frame has none or it is not finite.
  ///
  /// Drivers report slightly less than 0 at infinity.
  private static func lensPosition(of frame: FrameInfo) -> Double? {
    frame.lensPosition.flatMap { $0.isFinite ? max(0, $0) : nil }
  }
}
