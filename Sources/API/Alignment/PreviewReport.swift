import Foundation

/// A frame in small, and how sharp and how well exposed it is: the answer to `GET /v1/preview`.
public struct PreviewReport: Sendable, Hashable, Codable {
  /// Columns of the small picture.
  public let width: Int
  /// Rows of the small picture.
  public let height: Int
  /// The luma of the small picture in Base64: a byte for each sample, 0 black and 255 white, row by
  /// row from the top left of the upright picture.
  public let luma: String
  /// The frame's number, which rises as long as the camera is open.
  public let frame: Int64
  /// The size of the frame itself in pixels, before it was turned.
  public let frameSize: SizeReport
  /// How far the frame was turned clockwise to stand upright: 0, 90, 180 or 270 degrees.
  public let captureAngle: Int
  /// How long ago the frame was exposed, in milliseconds.
  public let ageMilliseconds: Double
  /// How sharp the middle of the frame is, 0 to 1: the root of Brenner's gradient against the
  /// energy of the samples, in half the width and height at full resolution; it compares frames of
  /// one scene.
  public let focus: Double
  /// The share of samples that are white, 0 to 1.
  public let clippedHighlights: Double
  /// The share of samples that are black, 0 to 1.
  public let clippedShadows: Double
  /// How long each row was exposed, in microseconds; `nil` when the camera does not say.
  public let exposureMicroseconds: Double?
  /// All gain of the frame as a factor; `nil` when the camera does not say.
  public let gain: Double?
  /// The lens position in dioptres; `nil` when the camera does not say.
  public let dioptres: Double?
  /// What the lens was doing; `nil` when the camera does not say.
  public let focusState: String?

  /// Makes a report.
  public init(
    width: Int, height: Int, luma: String, frame: Int64, frameSize: SizeReport,
    captureAngle: Int, ageMilliseconds: Double, focus: Double, clippedHighlights: Double,
    clippedShadows: Double, exposureMicroseconds: Double? = nil, gain: Double? = nil,
    dioptres: Double? = nil, focusState: String? = nil
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
    self.dioptres = finite(dioptres)
    self.focusState = focusState
  }

  /// The luma as bytes; `nil` when they are not as many as the size says.
  public var samples: [UInt8]? {
    guard let data = Data(base64Encoded: luma), width > 0, height > 0,
      data.count == width * height
    else { return nil }
    return Array(data)
  }
}

/// Where a camera's lens can be placed, in dioptres: 0 is infinity, 2 is half a metre.
public struct LensReport: Sendable, Hashable, Codable {
  /// The position for what is farthest away, in dioptres.
  public let farthest: Double
  /// The position for what is nearest, in dioptres.
  public let nearest: Double

  /// Makes a report.
  public init(farthest: Double, nearest: Double) {
    self.farthest = farthest
    self.nearest = nearest
  }
}
