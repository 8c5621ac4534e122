package import Devices
import Foundation

/// A scaled-down frame with its sharpness and exposure: the answer to `GET /v1/preview`.
package struct PreviewReport: Sendable, Hashable, Codable {
  /// The columns of the small picture.
  package let width: Int
  /// The rows of the small picture.
  package let height: Int
  /// The luma of the small picture in Base64: a byte for each sample, 0 black and 255 white.
  ///
  /// The samples come row by row from the top left of the upright picture.
  package let luma: String
  /// The frame's number, which rises as long as the camera is open.
  package let frame: Int64
  /// The size of the frame itself in pixels, before it was turned.
  package let frameSize: SizeReport
  /// The clockwise turn that made the frame upright: 0, 90, 180 or 270 degrees.
  package let captureAngle: Int
  /// The time since the frame was exposed, in milliseconds.
  package let ageMilliseconds: Double
  /// The sharpness of the middle of the frame, 0 to 1.
  ///
  /// The value is the root of Brenner's gradient against the energy of the samples, in half the
  /// width and height at full resolution. It compares frames of one scene.
  package let focus: Double
  /// The share of samples that are white, 0 to 1.
  package let clippedHighlights: Double
  /// The share of samples that are black, 0 to 1.
  package let clippedShadows: Double
  /// The exposure time of each row in microseconds; `nil` when the camera does not say.
  package let exposureMicroseconds: Double?
  /// The total gain of the frame as a factor; `nil` when the camera does not say.
  package let gain: Double?
  /// The light's color temperature in kelvins; `nil` when the camera does not say.
  package let colorTemperature: Int?
  /// The lens position in diopters; `nil` when the camera does not say.
  package let diopters: Double?
  /// The state of the lens; `nil` when the camera does not say.
  package let focusState: Word<FocusState>?

  package init(
    width: Int, height: Int, luma: String, frame: Int64, frameSize: SizeReport,
    captureAngle: Int, ageMilliseconds: Double, focus: Double, clippedHighlights: Double,
    clippedShadows: Double, exposureMicroseconds: Double? = nil, gain: Double? = nil,
    colorTemperature: Int? = nil, diopters: Double? = nil, focusState: Word<FocusState>? = nil
  ) {
    self.width = width
    self.height = height
    self.luma = luma
    self.frame = frame
    self.frameSize = frameSize
    self.captureAngle = captureAngle
    self.ageMilliseconds = ageMilliseconds
    self.focus = focus
    self.clippedHighlights = clippedHighlights
    self.clippedShadows = clippedShadows
    self.exposureMicroseconds = finite(exposureMicroseconds)
    self.gain = finite(gain)
    self.colorTemperature = colorTemperature
    self.diopters = finite(diopters)
    self.focusState = focusState
  }

  /// The luma as bytes; `nil` when their number does not match the size.
  package var samples: [UInt8]? {
    guard let data = Data(base64Encoded: luma), width > 0, height > 0,
      data.count == width * height
    else { return nil }
    return Array(data)
  }
}

/// The range of a camera's lens positions in diopters: 0 is infinity, 2 is half a meter.
package struct LensReport: Sendable, Hashable, Codable {
  /// The position for the farthest distance, in diopters.
  package let farthest: Double
  /// The position for the nearest distance, in diopters.
  package let nearest: Double
  /// Whether the camera can focus on a place in the frame: `true`, or `nil` if not.
  package let focusesAtPoint: Bool?

  package init(farthest: Double, nearest: Double, focusesAtPoint: Bool? = nil) {
    self.farthest = farthest
    self.nearest = nearest
    self.focusesAtPoint = focusesAtPoint
  }
}
