/// How the samples of a frame lie in memory.
public enum PixelFormat: String, Sendable, Hashable, Codable, CaseIterable {
  /// Three planes Y, U, V; chroma halved both ways (DRM `YU12`). What a Pi's ISP gives.
  case yuv420
  /// Two planes Y and interleaved UV; chroma halved both ways (DRM `NV12`).
  case nv12
  /// One plane, Y0 U Y1 V (DRM `YUYV`). What most USB cameras give.
  case yuyv
  /// One plane, the bytes in the order R, G, B (libcamera's and DRM's `BGR888`).
  case rgb
  /// One plane, the bytes in the order B, G, R (libcamera's and DRM's `RGB888`).
  case bgr
  /// A JPEG image a frame, as USB cameras compress it.
  case mjpeg
}

/// How luma and chroma are to be read as colours.
public enum ColorSpace: String, Sendable, Hashable, Codable {
  /// BT.601 with the full range 0...255, as JFIF wants it (libcamera's `Sycc`).
  case jpeg
  /// BT.601 with the limited range 16...235.
  case bt601Limited
  /// BT.709 with the limited range 16...235.
  case bt709Limited
  /// Not a luma-chroma format, or the camera does not say.
  case unspecified
}

/// Width and height of a picture in pixels.
public struct FrameSize: Sendable, Hashable, Codable, CustomStringConvertible {
  /// Columns, at least 1.
  public var width: Int
  /// Rows, at least 1.
  public var height: Int

  /// Makes a size.
  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  /// The number of pixels.
  public var area: Int { width * height }

  /// The size as people write it, for example `1920x1080`.
  public var description: String { "\(width)x\(height)" }
}
