package import Devices

/// A part of a frame in full resolution.
extension ScaledFrame {
  /// Makes an upright copy of a part of a frame, pixel for pixel.
  ///
  /// Luma-chroma frames become YUV420 in the frame's color space, with the nearest samples of
  /// chroma. RGB and BGR keep their format. MJPEG is decoded first.
  ///
  /// - Parameters:
  ///   - bytes: the frame's bytes; only read during the call.
  ///   - format: the format of the bytes.
  ///   - region: returns the part of a frame of a size; called once.
  /// - Throws: ``ImagingError``: `malformedFrame`, `malformedJPEG` or `unsupported`.
  /// - Complexity: O(pixels of the part), and of the frame for MJPEG; blocks the calling thread.
  package static func part(
    of bytes: UnsafeRawBufferPointer, format: StreamFormat, region: (FrameSize) -> TurnedRegion
  ) throws(ImagingError) -> ScaledFrame {
    if format.pixelFormat == .mjpeg {
      let picture = try DecodedPlanes(jpeg: try MotionJPEG.completed(bytes))
      let region = region(picture.size)
      return ScaledFrame(region.size, pixelFormat: .yuv420, colorSpace: .jpeg) { target in
        picture.withPlanes { copy($0, region, to: target) }
      }
    }
    try FrameLayout.check(byteCount: bytes.count, of: format)
    guard let start = bytes.assumingMemoryBound(to: UInt8.self).baseAddress else {
      throw ImagingError(.malformedFrame, subject: "frame", problem: "has no bytes")
    }
    let region = region(format.size)
    if format.pixelFormat == .rgb || format.pixelFormat == .bgr {
      return ScaledFrame(
        region.size, pixelFormat: format.pixelFormat, colorSpace: format.colorSpace
      ) { target in
        for color in 0..<3 {
          region.copy(
            PlaneView(
              start: start + color, bytesPerRow: format.bytesPerRow, step: 3, across: 1, down: 1),
            pace: 1, to: (target.start + color, target.format.bytesPerRow, 3))
        }
      }
    }
    let (planes, sampling) = SamplePlanes.inPlace(start, format: format)
    func view(_ plane: SamplePlanes.Plane, across: Int, down: Int) -> PlaneView {
      PlaneView(
        start: plane.start, bytesPerRow: plane.bytesPerRow, step: plane.step, across: across,
        down: down)
    }
    let down = sampling == .halved ? 2 : 1
    let views = [
      view(planes.luma, across: 1, down: 1), view(planes.cb, across: 2, down: down),
      view(planes.cr, across: 2, down: down),
    ]
    return ScaledFrame(region.size, pixelFormat: .yuv420, colorSpace: format.colorSpace) { target in
      copy(views, region, to: target)
    }
  }

  /// Copies luma and chroma to YUV420.
  private static func copy(
    _ planes: [PlaneView], _ region: TurnedRegion, to target: ScaleTarget
  ) {
    for (index, plane) in planes.enumerated() {
      let place = target.plane(index)
      region.copy(
        plane, pace: index == 0 ? 1 : 2, to: (place.start, place.bytesPerRow, 1))
    }
  }

  /// Returns the sharpness of the copy itself, 0...1, by ``FocusMeasure``.
  ///
  /// - Throws: ``ImagingError``, code `malformedFrame`.
  package func focus() throws(ImagingError) -> Double {
    let result = bytes.withUnsafeBytes { bytes in
      Result { () throws(ImagingError) in
        try LumaPlane.with(bytes, format) { plane in
          FocusMeasure.figure(
            of: plane, columns: 0..<plane.size.width, rows: 0..<plane.size.height)
        }
      }
    }
    return try result.get()
  }
}
