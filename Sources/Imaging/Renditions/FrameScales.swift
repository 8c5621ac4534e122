import Devices

/// The memory of a smaller copy.
struct ScaleTarget {
  /// The first byte.
  let start: UnsafeMutablePointer<UInt8>
  /// The format: YUV420, RGB or BGR.
  let format: StreamFormat

  /// Returns the first sample of one of the planes Y, Cb, Cr and its bytes per row.
  func plane(_ index: Int) -> (start: UnsafeMutablePointer<UInt8>, bytesPerRow: Int) {
    let plane = format.planes[index]
    return (start + plane.offset, plane.bytesPerRow)
  }
}

/// The scales from a frame's planes to those of a smaller copy.
struct FrameScales {
  let source: UnsafePointer<UInt8>
  let format: StreamFormat
  let target: ScaleTarget

  /// The scales of all planes; ``FrameLayout`` has checked the frame.
  var planes: [PlaneScale] {
    let planes = format.planes
    let chroma = (format.size.width + 1) / 2
    switch format.pixelFormat {
    case .yuv420:
      return (0..<3).map { index in
        let columns = index == 0 ? format.size.width : chroma
        return scale(
          planes[index], used: columns, isHalvedDown: index > 0, channels: [(index, 0, 1, columns)])
      }
    case .nv12:
      return [
        scale(
          planes[0], used: format.size.width, isHalvedDown: false,
          channels: [(0, 0, 1, format.size.width)]),
        scale(
          planes[1], used: 2 * chroma, isHalvedDown: true,
          channels: [(1, 0, 2, chroma), (2, 1, 2, chroma)]),
      ]
    case .yuyv:
      return [
        scale(
          planes[0], used: 4 * chroma, isHalvedDown: false,
          channels: [(0, 0, 2, format.size.width)]),
        scale(
          planes[0], used: 4 * chroma, isHalvedDown: false,
          channels: [(1, 1, 4, chroma), (2, 3, 4, chroma)]),
      ]
    case .rgb, .bgr:
      let columns = AreaWeights(
        count: target.format.size.width, of: format.size.width,
        numerator: format.size.width, denominator: target.format.size.width)
      return [
        PlaneScale(
          source: source, bytesPerRow: format.bytesPerRow, usedBytesPerRow: 3 * format.size.width,
          rows: AreaWeights(
            count: target.format.size.height, of: format.size.height,
            numerator: format.size.height, denominator: target.format.size.height),
          channels: (0..<3).map { color in
            PlaneScale.Channel(
              offset: color, step: 3, columns: columns, target: target.start + color,
              targetStep: 3, targetBytesPerRow: target.format.bytesPerRow)
          })
      ]
    case .mjpeg: return []
    }
  }

  /// Makes the scale of a plane to some of the planes Y, Cb and Cr of the copy.
  private func scale(
    _ plane: StreamFormat.Plane, used: Int, isHalvedDown: Bool,
    channels: [(index: Int, offset: Int, step: Int, columns: Int)]
  ) -> PlaneScale {
    let isLuma = channels[0].index == 0
    return PlaneScale.ofLumaOrChroma(
      source: source + plane.offset, bytesPerRow: plane.bytesPerRow, used: used,
      rows: plane.rows, size: format.size, across: isLuma ? 1 : 2,
      down: isHalvedDown ? 2 : 1, channels: channels, target: target)
  }
}

extension PlaneScale {
  /// Makes the scale of a luma or chroma plane to the planes of a YUV420 copy.
  ///
  /// - Parameters:
  ///   - size: the picture's size.
  ///   - across: the number of the picture's columns for one column of the plane.
  ///   - down: the number of the picture's rows for one row of the plane.
  ///   - channels: the copy's plane, the first byte of its samples, their step and their number.
  static func ofLumaOrChroma(
    source: UnsafePointer<UInt8>, bytesPerRow: Int, used: Int, rows: Int, size: FrameSize,
    across: Int, down: Int, channels: [(index: Int, offset: Int, step: Int, columns: Int)],
    target: ScaleTarget
  ) -> PlaneScale {
    let targetSize = target.format.size
    // A sample of chroma in the copy covers two by two of the copy's pixels.
    let targetStep = channels[0].index == 0 ? 1 : 2
    return PlaneScale(
      source: source, bytesPerRow: bytesPerRow, usedBytesPerRow: used,
      rows: AreaWeights(
        count: (targetSize.height + targetStep - 1) / targetStep, of: rows,
        numerator: size.height * targetStep, denominator: targetSize.height * down),
      channels: channels.map { channel in
        let plane = target.plane(channel.index)
        return Channel(
          offset: channel.offset, step: channel.step,
          columns: AreaWeights(
            count: (targetSize.width + targetStep - 1) / targetStep, of: channel.columns,
            numerator: size.width * targetStep, denominator: targetSize.width * across),
          target: plane.start, targetStep: 1, targetBytesPerRow: plane.bytesPerRow)
      })
  }
}
