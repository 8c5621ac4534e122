import CTurboJPEG
import Devices

/// The pixels of a JPEG image, three bytes each: red, green, blue.
struct RGBPicture {
  /// The columns and rows.
  let size: FrameSize
  /// The bytes, row by row without gaps.
  let bytes: [UInt8]

  /// Decodes an image (`tjDecompress2`).
  ///
  /// - Throws: ``ImagingError``: `malformedJPEG` or `outOfMemory`.
  init(jpeg: [UInt8]) throws(ImagingError) {
    guard let handle = tjInitDecompress() else {
      throw ImagingError(
        .outOfMemory, subject: "TurboJPEG", problem: "gives no decompressor",
        cause: String(cString: tjGetErrorStr2(nil)))
    }
    defer { tjDestroy(handle) }
    func failure() -> ImagingError {
      ImagingError(
        .malformedJPEG, subject: "JPEG image of \(jpeg.count.counted("byte"))",
        problem: "cannot be decoded", cause: String(cString: tjGetErrorStr2(handle)))
    }
    var (width, height, sampling, colors): (Int32, Int32, Int32, Int32) = (0, 0, -1, -1)
    guard
      tjDecompressHeader3(
        handle, jpeg, UInt(jpeg.count), &width, &height, &sampling, &colors) == 0
    else { throw failure() }
    var bytes = [UInt8](repeating: 0, count: Int(width) * Int(height) * 3)
    guard
      tjDecompress2(
        handle, jpeg, UInt(jpeg.count), &bytes, width, 0, height, Int32(TJPF_RGB.rawValue),
        TJFLAG_ACCURATEDCT) == 0
    else { throw failure() }
    size = FrameSize(width: Int(width), height: Int(height))
    self.bytes = bytes
  }
}
