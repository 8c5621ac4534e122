package import Devices

/// Smaller copies of a frame for viewers, with the sharpness of the frame itself.
package struct FrameCopies: Sendable {
  /// The copies by the limit of their size, several limits with the same copy among them.
  package let copies: [FrameSize: ScaledFrame]
  /// The sharpness of the frame's middle, 0...1; see ``FramePreview/focus``.
  package let focus: Double

  /// Makes the copies; an MJPEG frame is decoded once.
  ///
  /// - Parameters:
  ///   - bytes: the frame's bytes; only read during the call.
  ///   - format: the format of the bytes.
  ///   - limits: the most columns and rows of each copy, which keeps the frame's shape.
  /// - Throws: ``ImagingError``: `malformedFrame`, `malformedJPEG` or `unsupported`.
  /// - Complexity: O(pixels of the frame) for each size; blocks the calling thread.
  package init(
    of bytes: UnsafeRawBufferPointer, format: StreamFormat, within limits: Set<FrameSize>
  ) throws(ImagingError) {
    func focus(_ plane: LumaPlane) -> Double {
      let window = FocusMeasure.window(of: plane.size)
      return FocusMeasure.figure(of: plane, columns: window.columns, rows: window.rows)
    }
    var copies: [FrameSize: ScaledFrame] = [:]
    var made: [FrameSize: ScaledFrame] = [:]
    if format.pixelFormat == .mjpeg {
      let picture = try DecodedPlanes(jpeg: try MotionJPEG.completed(bytes))
      for limit in limits {
        let size = picture.size.fitted(within: limit)
        if made[size] == nil { made[size] = try ScaledFrame(of: picture, size: size) }
        copies[limit] = made[size]
      }
      let figure = picture.withLuma { start, bytesPerRow in
        focus(LumaPlane(start: start, bytesPerRow: bytesPerRow, size: picture.size))
      }
      self.focus = figure ?? 0
    } else {
      for limit in limits {
        let size = format.size.fitted(within: limit)
        if made[size] == nil {
          made[size] = try ScaledFrame(of: bytes, format: format, size: size)
        }
        copies[limit] = made[size]
      }
      self.focus = try LumaPlane.with(bytes, format, focus)
    }
    self.copies = copies
  }

  /// Makes the copies of a leased frame, from its preview where that is large enough.
  ///
  /// The sharpness is that of the frame, of which only the middle is read for it.
  ///
  /// - Parameter limits: the most columns and rows of each copy, which keeps the frame's shape.
  /// - Throws: ``ImagingError`` as ``init(of:format:within:)``, or `DeviceError`.
  /// - Complexity: O(pixels of the preview) for each size that the preview suffices for.
  package init(of frame: FrameLease, within limits: Set<FrameSize>) throws {
    let sizes = Dictionary(
      uniqueKeysWithValues: limits.map { ($0, frame.format.size.fitted(within: $0)) })
    let small = sizes.filter { frame.preview?.format.size.contains($0.value) ?? false }
    var copies: [FrameSize: ScaledFrame] = [:]
    var made: [FrameSize: ScaledFrame] = [:]
    for (limit, size) in small {
      if made[size] == nil {
        made[size] = try frame.withPicture(ofAtLeast: size) { bytes, format in
          try ScaledFrame(of: bytes, format: format, size: size)
        }
      }
      copies[limit] = made[size]
    }
    let others = try frame.withBytes { bytes in
      try FrameCopies(of: bytes, format: frame.format, within: limits.subtracting(small.keys))
    }
    self.copies = copies.merging(others.copies) { first, _ in first }
    focus = others.focus
  }
}

extension FrameSize {
  /// Returns the largest size of this shape within a limit and within this size.
  ///
  /// - Parameter limit: the most columns and rows, at least 1 each.
  package func fitted(within limit: FrameSize) -> FrameSize {
    let factor = min(
      1, Double(limit.width) / Double(width), Double(limit.height) / Double(height))
    return FrameSize(
      width: min(max(Int((Double(width) * factor).rounded()), 1), limit.width),
      height: min(max(Int((Double(height) * factor).rounded()), 1), limit.height))
  }
}
