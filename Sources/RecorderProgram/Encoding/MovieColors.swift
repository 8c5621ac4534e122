import CFFmpeg
import Devices

/// The color tags of a recording, in the encoder's terms (ITU-T H.273).
struct MovieColors {
  var range = AVCOL_RANGE_UNSPECIFIED
  var matrix = AVCOL_SPC_UNSPECIFIED
  var primaries = AVCOL_PRI_UNSPECIFIED
  var transfer = AVCOL_TRC_UNSPECIFIED

  /// Makes the tags for frames as they are encoded.
  init(_ format: StreamFormat) {
    let space: ColorSpace =
      switch format.pixelFormat {
      case .yuv420, .nv12, .yuyv: format.colorSpace
      // The conversion gives the limited range.
      case .rgb, .bgr: .bt601Limited
      case .mjpeg: .jpeg
      }
    switch space {
    case .jpeg:
      (range, matrix) = (AVCOL_RANGE_JPEG, AVCOL_SPC_SMPTE170M)
      (primaries, transfer) = (AVCOL_PRI_BT709, AVCOL_TRC_IEC61966_2_1)
    case .bt601Limited:
      (range, matrix) = (AVCOL_RANGE_MPEG, AVCOL_SPC_SMPTE170M)
      (primaries, transfer) = (AVCOL_PRI_SMPTE170M, AVCOL_TRC_SMPTE170M)
    case .bt709Limited:
      (range, matrix) = (AVCOL_RANGE_MPEG, AVCOL_SPC_BT709)
      (primaries, transfer) = (AVCOL_PRI_BT709, AVCOL_TRC_BT709)
    case .unspecified: break
    }
  }
}
