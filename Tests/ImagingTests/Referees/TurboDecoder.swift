import CTurboJPEG
import Testing

/// libjpeg-turbo's own decoder in this process, for tests that decode many pictures.
enum TurboDecoder {
  struct Failure: Error, CustomStringConvertible {
    var description: String
  }

  /// Decodes to three bytes a pixel; a damaged picture throws, even if it only gives a warning.
  static func decode(_ jpeg: [UInt8]) throws -> (width: Int, height: Int, pixels: [UInt8]) {
    let handle = tjInitDecompress()
    defer { tjDestroy(handle) }
    var width: Int32 = 0
    var height: Int32 = 0
    var sampling: Int32 = 0
    var colorSpace: Int32 = 0
    var jpeg = jpeg
    let length = UInt(jpeg.count)
    let header = tjDecompressHeader3(
      handle, &jpeg, length, &width, &height, &sampling, &colorSpace)
    guard header == 0 else { throw Failure(description: String(cString: tjGetErrorStr2(handle))) }
    var pixels = [UInt8](repeating: 0, count: Int(width) * Int(height) * 3)
    let result = tjDecompress2(
      handle, &jpeg, length, &pixels, width, 0, height, Int32(TJPF_RGB.rawValue),
      TJFLAG_STOPONWARNING | TJFLAG_ACCURATEDCT)
    guard result == 0 else { throw Failure(description: String(cString: tjGetErrorStr2(handle))) }
    return (Int(width), Int(height), pixels)
  }
}
