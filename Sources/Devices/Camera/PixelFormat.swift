/// The layout of a frame's samples in memory.
package enum PixelFormat: String, Sendable, Hashable, Codable, CaseIterable {
  /// Three planes Y, U, V; chroma halved both ways (DRM `YU12`). A Raspberry Pi's ISP gives it.
  case yuv420
  /// Two planes Y and interleaved UV; chroma halved both ways (DRM `NV12`).
  case nv12
  /// A single plane, Y0 U Y1 V (DRM `YUYV`). Most USB cameras give it.
  case yuyv
  /// A single plane, the bytes in the order R, G, B (libcamera's and DRM's `BGR888`).
  case rgb
  /// A single plane, the bytes in the order B, G, R (libcamera's and DRM's `RGB888`).
  case bgr
  /// A JPEG image per frame, as USB cameras compress it.
  case mjpeg
}

/// The conversion of luma and chroma to colors.
package enum ColorSpace: String, Sendable, Hashable, Codable {
  /// BT.601 with the full range 0...255, as JFIF requires it (libcamera's `Sycc`).
  case jpeg
  /// BT.601 with the limited range 16...235.
  case bt601Limited
  /// BT.709 with the limited range 16...235.
  case bt709Limited
  /// Not a luma-chroma format, or not reported by the camera.
  case unspecified
}

/// The width and height of a picture in pixels.
package struct FrameSize: Sendable, Hashable, Codable, CustomStringConvertible {
  /// The number of columns, at least 1.
  package var width: Int
  /// The number of rows, at least 1.
  package var height: Int

  package init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  /// The number of pixels.
  package var area: Int { width * height }

  /// Returns whether another size is no larger either way.
  package func contains(_ other: FrameSize) -> Bool {
    width >= other.width && height >= other.height
  }

  /// The written size, for example `1920x1080`.
  package var description: String { "\(width)x\(height)" }
}
