import CTurboJPEG
import Devices

/// The planes of a JPEG image, decoded without a conversion of colors.
final class DecodedPlanes {
  /// The numbers of columns and rows.
  let size: FrameSize
  private let storage: UnsafeMutableBufferPointer<UInt8>
  private let planes: [Plane]

  private struct Plane {
    var offset: Int, columns: Int, rows: Int
    /// The numbers of the picture's columns and rows for one column and row of the plane.
    var across: Int, down: Int
  }

  /// Decodes an image (`tjDecompressToYUVPlanes`), also a damaged one if it can be shown.
  ///
  /// - Throws: ``ImagingError``: `malformedJPEG`, or `unsupported` for colors other than luma and
  ///   chroma.
  init(jpeg: [UInt8]) throws(ImagingError) {
    guard let handle = tjInitDecompress() else {
      throw ImagingError(
        .outOfMemory, subject: "TurboJPEG", problem: "gives no decompressor",
        cause: String(cString: tjGetErrorStr2(nil)))
    }
    defer { tjDestroy(handle) }
    func failure(_ code: ImagingError.Code, _ cause: String) -> ImagingError {
      ImagingError(
        code, subject: "JPEG image of \(jpeg.count.counted("byte"))", problem: "cannot be decoded",
        cause: cause)
    }
    var (width, height, sampling, colors): (Int32, Int32, Int32, Int32) = (0, 0, -1, -1)
    guard
      tjDecompressHeader3(
        handle, jpeg, UInt(jpeg.count), &width, &height, &sampling, &colors) == 0
    else { throw failure(.malformedJPEG, String(cString: tjGetErrorStr2(handle))) }
    guard colors == Int32(TJCS_YCbCr.rawValue) || colors == Int32(TJCS_GRAY.rawValue),
      let factors = Self.factors(sampling)
    else { throw failure(.unsupported, "its samples are not luma and chroma") }
    var planes: [Plane] = []
    var count = 0
    for index in 0..<(sampling == Int32(TJSAMP_GRAY.rawValue) ? 1 : 3) {
      let columns = Int(tjPlaneWidth(Int32(index), width, sampling))
      let rows = Int(tjPlaneHeight(Int32(index), height, sampling))
      planes.append(
        Plane(
          offset: count, columns: columns, rows: rows, across: index == 0 ? 1 : factors.across,
          down: index == 0 ? 1 : factors.down))
      count += columns * rows
    }
    let storage = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: count)
    storage.initialize(repeating: 128)
    size = FrameSize(width: Int(width), height: Int(height))
    self.planes = planes
    self.storage = storage
    let start = storage.baseAddress
    var pointers = planes.map { start?.advanced(by: $0.offset) }
    let result = tjDecompressToYUVPlanes(
      handle, jpeg, UInt(jpeg.count), &pointers, 0, nil, 0, TJFLAG_ACCURATEDCT)
    guard result == 0 || tjGetErrorCode(handle) == Int32(TJERR_WARNING.rawValue) else {
      throw failure(.malformedJPEG, String(cString: tjGetErrorStr2(handle)))
    }
  }

  deinit {
    storage.deallocate()
  }

  /// Calls a closure with the first sample of the luma and the bytes from one row to the next.
  ///
  /// The pointer is valid only during the call.
  func withLuma<Result>(_ body: (UnsafePointer<UInt8>, _ bytesPerRow: Int) -> Result) -> Result? {
    guard let start = storage.baseAddress, let luma = planes.first else { return nil }
    return withExtendedLifetime(self) {
      body(UnsafePointer(start) + luma.offset, luma.columns)
    }
  }

  /// Calls a closure with the planes; the pointers are valid only during the call.
  func withPlanes(_ body: ([PlaneView]) -> Void) {
    guard let start = storage.baseAddress else { return }
    withExtendedLifetime(self) {
      body(
        planes.map { plane in
          PlaneView(
            start: UnsafePointer(start) + plane.offset, bytesPerRow: plane.columns, step: 1,
            across: plane.across, down: plane.down)
        })
    }
  }

  /// Makes the scales to a smaller copy's planes, valid as long as this object lives.
  func scales(to target: ScaleTarget) -> [PlaneScale] {
    guard let start = storage.baseAddress else { return [] }
    return planes.enumerated().map { index, plane in
      // Luma that only completes the last chroma sample is no part of the picture.
      let columns = index == 0 ? size.width : plane.columns
      return PlaneScale.ofLumaOrChroma(
        source: UnsafePointer(start) + plane.offset, bytesPerRow: plane.columns, used: columns,
        rows: index == 0 ? size.height : plane.rows, size: size, across: plane.across,
        down: plane.down, channels: [(index, 0, 1, columns)], target: target)
    }
  }

  /// Returns the columns and rows of luma for one of chroma; `nil` for an unknown sampling.
  private static func factors(_ sampling: Int32) -> (across: Int, down: Int)? {
    switch TJSAMP(rawValue: UInt32(bitPattern: sampling)) {
    case TJSAMP_444, TJSAMP_GRAY: (1, 1)
    case TJSAMP_422: (2, 1)
    case TJSAMP_420: (2, 2)
    case TJSAMP_440: (1, 2)
    case TJSAMP_411: (4, 1)
    default: nil
    }
  }
}
