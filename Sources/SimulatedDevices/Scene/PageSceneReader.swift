package import Devices

/// A reader of pictures of the simulated page scene, also after JPEG and after rotation.
///
/// The reader needs only luma. It finds the frame counter in each of the picture's four turns, so a
/// picture can be read as stored or as shown.
package struct PageSceneReader: Sendable {
  /// The result of a reading.
  package struct Reading: Sendable, Hashable {
    /// The lowest 32 bits of the frame's `FrameInfo.id`; `nil` when there is no legible counter.
    package var frameNumber: UInt32?
    /// The clockwise turn since the sensor took the picture; `nil` without a legible counter.
    package var turnSinceSensor: QuarterTurn?
    /// The clockwise turn that brings the "up" mark to the top; `nil` without a mark.
    ///
    /// The value is `none` for a mark at the top, `clockwise90` for one at the left, and so on.
    package var turnToUpright: QuarterTurn?
    /// The page's number; `nil` when it cannot be read.
    package var page: Int?
  }

  /// The picture's size.
  package let size: FrameSize
  /// The factor by which the field of view was narrowed, 1 or more.
  ///
  /// The page's number can be read up to a factor of about 1.4, where it leaves the picture.
  package let zoom: Double

  /// Makes a reader for pictures of any size, not only the sensor's.
  package init(size: FrameSize, zoom: Double = 1) {
    self.size = size
    self.zoom = zoom
  }

  /// Reads a picture from its luma.
  ///
  /// - Parameters:
  ///   - luma: one byte per pixel, row by row; at least `bytesPerRow` · (rows − 1) + columns bytes.
  ///   - bytesPerRow: the bytes from one row to the next, by default the width.
  package func read(luma: UnsafeRawBufferPointer, bytesPerRow: Int? = nil) -> Reading {
    let stride = bytesPerRow ?? size.width
    precondition(
      luma.count >= stride * (size.height - 1) + size.width, "too few bytes for \(size)")
    return read { x, y in Int(luma[y * stride + x]) }
  }

  /// Reads a picture from its luma.
  ///
  /// - Parameter luma: one byte per pixel, row by row, without gaps.
  package func read(luma: [UInt8]) -> Reading {
    luma.withUnsafeBytes { read(luma: $0) }
  }

  /// Reads a frame.
  ///
  /// - Throws: `DeviceError` when the memory cannot be read, or the pixel format has no plain luma.
  package static func read(_ frame: FrameLease) throws -> Reading {
    let format = frame.format
    let reader = PageSceneReader(size: format.size, zoom: frame.info.videoZoomFactor ?? 1)
    return try frame.withBytes { bytes in
      switch format.pixelFormat {
      case .yuv420, .nv12:
        return reader.read(luma: bytes, bytesPerRow: format.bytesPerRow)
      case .yuyv:
        return reader.read { x, y in Int(bytes[y * format.bytesPerRow + 2 * x]) }
      case .rgb, .bgr:
        // The blocks are gray and the mark is found by comparison, so green stands for luma.
        return reader.read { x, y in Int(bytes[y * format.bytesPerRow + 3 * x + 1]) }
      case .mjpeg:
        throw DeviceError(
          .unsupported, device: "frame \(frame.info.id)", problem: "is compressed; decode it first")
      }
    }
  }

  private typealias Luma = (_ x: Int, _ y: Int) -> Int

  private func read(_ luma: Luma) -> Reading {
    var reading = Reading()
    for turn in QuarterTurn.allCases {
      guard let number = frameNumber(turnedBy: turn, luma) else { continue }
      reading.frameNumber = UInt32(truncatingIfNeeded: number)
      reading.turnSinceSensor = turn
      break
    }
    reading.turnToUpright = turnToUpright(luma)
    if let turn = reading.turnToUpright { reading.page = page(turn: turn, luma) }
    return reading
  }

  private func frameNumber(turnedBy turn: QuarterTurn, _ luma: Luma) -> UInt64? {
    let isSideways = turn == .clockwise90 || turn == .clockwise270
    let sensor = isSideways ? FrameSize(width: size.height, height: size.width) : size
    let strip = PageSceneLayout(size: sensor).frameCode
    let width = sensor.width
    let height = sensor.height
    let lumas = (0..<BlockCode.frame.blockCount).map { index in
      mean(strip.block(index, of: BlockCode.frame.blockCount)) { x, y in
        switch turn {
        case .none: luma(x, y)
        case .clockwise90: luma(height - 1 - y, x)
        case .half: luma(width - 1 - x, height - 1 - y)
        case .clockwise270: luma(y, width - 1 - x)
        }
      }
    }
    return BlockCode.frame.number(fromLumas: lumas)
  }

  private func turnToUpright(_ luma: Luma) -> QuarterTurn? {
    let layout = PageSceneLayout(size: size, zoom: zoom)
    let places = QuarterTurn.allCases.map { turn in
      (turn, mean(layout.pixels(of: PageSceneLayout.upBar, turn: turn), luma))
    }.sorted { $0.1 < $1.1 }
    return places[1].1 - places[0].1 >= 32 ? places[0].0 : nil
  }

  private func page(turn: QuarterTurn, _ luma: Luma) -> Int? {
    let layout = PageSceneLayout(size: size, zoom: zoom)
    let lumas = (0..<BlockCode.page.blockCount).map { index in
      let block = PageSceneLayout.pageCode.block(index, of: BlockCode.page.blockCount)
      return mean(layout.pixels(of: block, turn: turn), luma)
    }
    return BlockCode.page.number(fromLumas: lumas).map { Int($0) }
  }

  /// Computes the mean over the middle of a rectangle, where its neighbors do not bleed in.
  private func mean(_ rectangle: PixelRectangle, _ luma: Luma) -> Double {
    guard rectangle.right > rectangle.left, rectangle.bottom > rectangle.top else { return 128 }
    func middle(_ start: Int, _ end: Int) -> ClosedRange<Int> {
      let rim = (end - start) / 4
      return (start + rim)...(end - 1 - rim)
    }
    let columns = middle(rectangle.left, rectangle.right)
    let rows = middle(rectangle.top, rectangle.bottom)
    // The mean uses at most 16 × 16 samples: enough, and cheap on 12 megapixels.
    let xStep = max(1, columns.count / 16)
    let yStep = max(1, rows.count / 16)
    var sum = 0
    var count = 0
    for y in stride(from: rows.lowerBound, through: rows.upperBound, by: yStep) {
      for x in stride(from: columns.lowerBound, through: columns.upperBound, by: xStep) {
        sum += luma(x, y)
        count += 1
      }
    }
    return Double(sum) / Double(count)
  }
}
