import CLibcameraShim
import Devices

extension PixelFormat {
  /// The format's DRM fourcc (`drm_fourcc.h`), which libcamera uses.
  ///
  /// DRM names the order of the bits in a little-endian word, so its `RGB888` has blue first.
  var drmFourCC: UInt32 {
    switch self {
    case .yuv420: Self.fourCC("YU12")
    case .nv12: Self.fourCC("NV12")
    case .yuyv: Self.fourCC("YUYV")
    case .rgb: Self.fourCC("BG24")
    case .bgr: Self.fourCC("RG24")
    case .mjpeg: Self.fourCC("MJPG")
    }
  }

  /// Finds the format with a DRM fourcc; `nil` when this software does not support it.
  init?(drmFourCC: UInt32) {
    guard let format = Self.allCases.first(where: { $0.drmFourCC == drmFourCC }) else { return nil }
    self = format
  }

  private static func fourCC(_ name: StaticString) -> UInt32 {
    name.withUTF8Buffer { characters in
      characters.reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }
  }
}

extension ColorSpace {
  /// Reads the shim's `platen_camera_color_space`.
  init(shimValue: UInt32) {
    switch shimValue {
    case PLATEN_CAMERA_COLOR_BT601_FULL.rawValue: self = .jpeg
    case PLATEN_CAMERA_COLOR_BT601_LIMITED.rawValue: self = .bt601Limited
    case PLATEN_CAMERA_COLOR_BT709_LIMITED.rawValue: self = .bt709Limited
    default: self = .unspecified
    }
  }
}
