public import Devices

/// The resolution that was measured on a sheet of known size, and the frames for which it holds.
public struct CameraScale: Sendable, Hashable, Codable {
  /// The most scales that are kept of a camera.
  static let keptCount = 32

  /// The frame's pixels to an inch of the page.
  public var pixelsPerInch: Double
  /// The size of the frame.
  public var frameSize: FrameSize
  /// How many columns and rows of the sensor the frame showed; `nil` when the camera does not say.
  public var shownSensor: FrameSize?
  /// The lens position in dioptres; `nil` when the camera does not say.
  public var lensPosition: Double?

  /// Makes a scale.
  public init(
    pixelsPerInch: Double, frameSize: FrameSize, shownSensor: FrameSize? = nil,
    lensPosition: Double? = nil
  ) {
    self.pixelsPerInch = pixelsPerInch
    self.frameSize = frameSize
    self.shownSensor = shownSensor
    self.lensPosition = lensPosition
  }

  /// Makes the scale that was measured on a frame.
  public init(pixelsPerInch: Double, of frame: FrameInfo, size: FrameSize) {
    self.init(
      pixelsPerInch: pixelsPerInch, frameSize: size, shownSensor: frame.crop?.size,
      lensPosition: Self.lensPosition(of: frame))
  }

  /// Whether it holds for a frame: of the same size, of as much of the sensor, and with the lens where it
  /// was, within 2 % or 0.06 dioptres.
  ///
  /// A lens that is focused at P dioptres pictures a page that is sharp in proportion to P / (1 - f·P), f
  /// being its focal length in meters, which is a few millimeters: so 2 % of P are 2 % of the scale. Drivers
  /// round by up to 0.06 dioptres, and while the page stays where it is these change the scale by f·ΔP only,
  /// which is below 0.1 %.
  public func holds(for frame: FrameInfo, size: FrameSize) -> Bool {
    guard size == frameSize, frame.crop?.size == shownSensor else { return false }
    let current = Self.lensPosition(of: frame)
    guard let lensPosition, let current else { return lensPosition == current }
    return abs(current - lensPosition) <= max(0.06, 0.02 * lensPosition)
  }

  /// The lens position, 0 or more; `nil` where there is none, or none that is a number.
  ///
  /// Drivers say a little less than 0 at infinity.
  private static func lensPosition(of frame: FrameInfo) -> Double? {
    frame.lensPosition.flatMap { $0.isFinite ? max(0, $0) : nil }
  }
}
