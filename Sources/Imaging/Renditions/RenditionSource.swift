import Devices

/// A frame, or a smaller copy of it.
enum FrameSource {
  case frame(UnsafeRawBufferPointer, StreamFormat)
  case copy(ScaledFrame)

  /// What the bytes are.
  var format: StreamFormat {
    switch self {
    case .frame(_, let format): format
    case .copy(let copy): copy.format
    }
  }

  /// Calls a closure with the bytes and what they are.
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

/// The copies of one frame that have been made, so that each is made once and a small one of a
/// larger one.
struct RenditionSource {
  /// What the frame's bytes are.
  let format: StreamFormat
  /// How many threads work on a copy.
  let threadCount: Int
  private let bytes: UnsafeRawBufferPointer
  private var copies: [ScaledFrame] = []

  /// Begins with a frame, whose bytes have to be valid as long as this is used.
  init(bytes: UnsafeRawBufferPointer, format: StreamFormat, threadCount: Int) {
    self.bytes = bytes
    self.format = format
    self.threadCount = threadCount
  }

  /// Makes copies in these sizes, the largest first, so that small ones are made of large ones.
  mutating func prepare(_ sizes: [FrameSize]) throws(ImagingError) {
    for size in sizes.sorted(by: { $0.width > $1.width }) { _ = try frame(of: size) }
  }

  /// The frame in a size, which is not larger than it is.
  ///
  /// A copy is made of the smallest one that is at least twice as large, so that samples that both
  /// have cut blur nothing one could see; else of the frame.
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
