import Devices

/// The limits of the sizes and numbers in a process's messages.
///
/// The service calculates with these numbers and reserves memory for them. The limits are far above
/// those of any camera. The length of a message is limited by ``HostCodec/maximumBytes``.
enum HostLimits {
  /// The largest side of a frame, which is also the largest of a JPEG, and the largest angle.
  static let dimension = 65_535
  /// The maximum number of bytes of a frame: more than 64 megapixels of three bytes.
  static let frameBytes = 256 << 20
  /// The maximum number of buffers of a stream, of which V4L2 allows 64.
  static let buffers = 256
  /// The maximum number of elements of a list.
  static let elements = 64

  /// Returns a clause about a number that is not from 0 to a limit; `nil` for one that is.
  static func excess(_ number: Int, _ limit: Int, _ name: StaticString) -> String? {
    (0...limit).contains(number)
      ? nil : "a message has \(name) of \(number); 0 to \(limit) are the limits"
  }
}

extension HostReply {
  /// A clause about the first size or number beyond its limit; `nil` when there is none.
  ///
  /// The modes and controls of a camera are sets of known words, so that their number is limited.
  var excess: String? {
    switch self {
    case .event(_, .frame(let frame)): frame.crop?.excess
    case .answer(_, .cameras(let cameras)):
      HostLimits.excess(cameras.count, HostLimits.elements, "a number of cameras")
        ?? cameras.lazy.compactMap(\.excess).first
    case .answer(_, .opened(_, let identity)): identity.identity.excess
    case .answer(_, .resolved(let resolved)): resolved.excess
    case .answer(_, .lease(let lease)): lease.excess
    default: nil
    }
  }
}

extension CameraDescription {
  fileprivate var excess: String? {
    largestSize?.excess
      ?? HostLimits.excess(
        Int(clamping: mountingRotation.magnitude), HostLimits.dimension, "an angle")
  }
}

extension ResolvedStreamConfiguration {
  fileprivate var excess: String? {
    format.excess
      ?? HostLimits.excess(bufferCount, HostLimits.buffers, "a number of buffers")
      ?? HostLimits.excess(leasedFrameCount, HostLimits.buffers, "a number of leases")
      ?? HostLimits.excess(Int(clamping: rotation.magnitude), HostLimits.dimension, "an angle")
      ?? HostLimits.excess(adjustments.count, HostLimits.elements, "a number of adjustments")
      ?? raw?.excess ?? preview?.excess
  }
}

extension HostedLease {
  fileprivate var excess: String? {
    format.excess
      ?? HostLimits.excess(buffer, HostLimits.buffers - 1, "a buffer's number")
      ?? HostLimits.excess(byteCount, HostLimits.frameBytes, "a frame's size")
      ?? info.crop?.excess ?? raw?.excess ?? preview?.excess
  }
}

extension HostedPreview {
  fileprivate var excess: String? {
    format.excess
      ?? HostLimits.excess(buffer, HostLimits.buffers - 1, "a buffer's number")
      ?? HostLimits.excess(byteCount, HostLimits.frameBytes, "a frame's size")
  }
}

extension HostedRawFrame {
  fileprivate var excess: String? {
    let numbers = [properties.blackLevels, properties.neutral, properties.colorMatrix]
    return format.excess
      ?? HostLimits.excess(buffer, HostLimits.buffers - 1, "a buffer's number")
      ?? HostLimits.excess(byteCount, HostLimits.frameBytes, "a frame's size")
      ?? HostLimits.excess(
        numbers.map(\.count).max() ?? 0, HostLimits.elements, "a number of properties")
  }
}

extension RawStreamFormat {
  fileprivate var excess: String? {
    size.excess
      ?? HostLimits.excess(format.bitDepth, 16, "a number of bits")
      ?? HostLimits.excess(bytesPerRow, HostLimits.frameBytes, "a row's size")
      ?? HostLimits.excess(byteCount, HostLimits.frameBytes, "a frame's size")
  }
}

extension StreamFormat {
  /// The size of a row is limited first, so that the product cannot overflow.
  fileprivate var excess: String? {
    size.excess
      ?? HostLimits.excess(bytesPerRow, HostLimits.frameBytes, "a row's size")
      ?? HostLimits.excess(byteCount, HostLimits.frameBytes, "a frame's size")
  }
}

extension SensorRegion {
  fileprivate var excess: String? {
    size.excess
      ?? HostLimits.excess(Int(clamping: left.magnitude), HostLimits.dimension, "a column")
      ?? HostLimits.excess(Int(clamping: top.magnitude), HostLimits.dimension, "a row")
  }
}

extension FrameSize {
  fileprivate var excess: String? {
    HostLimits.excess(width, HostLimits.dimension, "a width")
      ?? HostLimits.excess(height, HostLimits.dimension, "a height")
  }
}
