import Devices

/// A frame, or a smaller copy of it.
enum FrameSource {
  case frame(UnsafeRawBufferPointer, StreamFormat)
  case copy(ScaledFrame)

  /// Calls a closure with the bytes and their format.
  func withBytes<Success>(
    _ body: (UnsafeRawBufferPointer, StreamFormat) throws(ImagingError) -> Success
  ) throws(ImagingError) -> Success {
    switch self {
    case .frame(let bytes, let format): return try body(bytes, format)
    case .copy(let copy):
      let result = copy.bytes.withUnsafeBytes { bytes in
        Result { () throws(ImagingError) in try body(bytes, copy.format) }
      }
      return try result.get()
    }
  }
}

/// A frame and the copies that have been made of it.
///
/// Each copy is made once, and a small copy is made from a larger one.
struct RenditionSource {
  /// The format of the frame's bytes.
  let format: StreamFormat
  /// The number of threads that work on a copy.
  let threadCount: Int
  private let bytes: UnsafeRawBufferPointer
  private var copies: [ScaledFrame] = []

  /// Starts with a frame, whose bytes must stay valid as long as this value is used.
  init(bytes: UnsafeRawBufferPointer, format: StreamFormat, threadCount: Int) {
    self.bytes = bytes
    self.format = format
    self.threadCount = threadCount
  }

  /// Returns the frame in its own or a smaller size, decoded if it is compressed.
  mutating func samples(of size: FrameSize) throws(ImagingError) -> FrameSource {
    guard format.pixelFormat == .mjpeg, size == format.size else { return try frame(of: size) }
    return .copy(
      try ScaledFrame(of: bytes, format: format, size: size, threadCount: threadCount))
  }

  /// Makes copies in these sizes, the largest first, so that small ones come from large ones.
  mutating func prepare(_ sizes: [FrameSize]) throws(ImagingError) {
    for size in sizes.sorted(by: { $0.width > $1.width }) { _ = try frame(of: size) }
  }

  /// Returns the frame in its own or a smaller size.
  ///
  /// A copy is made of the smallest copy that is at least twice as large, so that scaling twice
  /// adds no visible blur. Without such a copy the frame itself is scaled.
  mutating func frame(of size: FrameSize) throws(ImagingError) -> FrameSource {
    if size == format.size { return .frame(bytes, format) }
    if let copy = copies.first(where: { $0.format.size == size }) { return .copy(copy) }
    let larger = copies.filter {
      $0.format.size.width >= 2 * size.width && $0.format.size.height >= 2 * size.height
    }
    .min { $0.format.size.width < $1.format.size.width }
    let copy: ScaledFrame
    if let larger {
      copy = try larger.scaled(to: size)
    } else {
      copy = try ScaledFrame(of: bytes, format: format, size: size, threadCount: threadCount)
    }
    copies.append(copy)
    return .copy(copy)
  }
}
