import CTurboJPEG
import Devices

/// The bare libjpeg-turbo: one handle, one sufficiently large buffer, one call for a frame.
final class BareEncoder {
  private let handle = tjInitCompress()
  private var output: UnsafeMutablePointer<UInt8>?
  private let capacity: UInt
  private let format: StreamFormat

  init(_ format: StreamFormat) {
    self.format = format
    capacity = tjBufSize(
      Int32(format.size.width), Int32(format.size.height), Int32(TJSAMP_420.rawValue))
    output = tjAlloc(Int32(capacity))
  }

  deinit {
    tjFree(output)
    tjDestroy(handle)
  }

  /// Encodes a frame with `tjCompressFromYUVPlanes`; returns the bytes, 0 for a failure.
  func encode(_ bytes: UnsafeRawBufferPointer, quality: Int) -> Int {
    var pointers = format.planes.map { plane in
      bytes.baseAddress?.advanced(by: plane.offset).assumingMemoryBound(to: UInt8.self)
    }
    var strides = format.planes.map { Int32($0.bytesPerRow) }
    var length = capacity
    let result = tjCompressFromYUVPlanes(
      handle, &pointers, Int32(format.size.width), &strides, Int32(format.size.height),
      Int32(TJSAMP_420.rawValue), &output, &length, Int32(quality),
      TJFLAG_NOREALLOC | TJFLAG_ACCURATEDCT)
    return result == 0 ? Int(length) : 0
  }
}
