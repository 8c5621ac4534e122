public import Devices

/// Reads what a picture of the simulated page scene shows, also after JPEG and after turning.
///
/// It needs only luma. The frame counter is found in each of the four turns of the picture, so a
/// picture can be read as it was stored or as it is shown.
public struct PageSceneReader: Sendable {
  /// What was read.
  public struct Reading: Sendable, Hashable {
    /// The lowest 32 bits of the frame's `FrameInfo.id`; `nil` when there is no legible counter.
    public var frameNumber: UInt32?
    /// How far the picture has been turned clockwise since the sensor took it; `nil` when there is
    /// no legible counter.
    public var turnSinceSensor: QuarterTurn?
    /// By how much the picture must be turned clockwise for "up" to be at the top: `none` when it
    /// is at the top, `clockwise90` when it is at the left, and so on; `nil` when there is no mark.
    public var turnToUpright: QuarterTurn?
    /// The page's number; `nil` when it cannot be read.
    public var page: Int?
  }

  /// The picture's size.
  public let size: FrameSize
  /// By how much the field of view was narrowed, 1 or more; the page's number can be read up to
  /// about 1.4, where it leaves the picture.
  public let zoom: Double

  /// Makes a reader for pictures of a size, which need not be the sensor's.
  public init(size: FrameSize, zoom: Double = 1) {
    self.size = size
    self.zoom = zoom
  }

  /// Reads a picture from its luma.
  ///
  /// - Parameters:
  ///   - luma: one byte a pixel, row by row; at least `bytesPerRow` · (rows − 1) + columns bytes.
  ///   - bytesPerRow: bytes from one row to the next; the width when nothing is said.
  public func read(luma: UnsafeRawBufferPointer, bytesPerRow: Int? = nil) -> Reading {
    let stride = bytesPerRow ?? size.width
    precondition(
      luma.count >= stride * (size.height - 1) + size.width, "too few bytes for \(size)")
    return read { x, y in Int(luma[y * stride + x]) }
  }

  /// Reads a picture from its luma.
  ///
  /// - Parameter luma: one byte a pixel, row by row, without gaps.
  public func read(luma: [UInt8]) -> Reading {
    luma.withUnsafeBytes { read(luma: $0) }
  }

  /// Reads a frame.
  ///
  /// - Throws: `DeviceError` when the memory cannot be read, or the pixel format has no plain luma.
  public static func read(_ frame: FrameLease) throws -> Reading {
    let format = frame.format
    let reader = PageSceneReader(size: format.size, zoom: frame.info.videoZoomFactor ?? 1)
    return try frame.withBytes { bytes in
      switch format.pixelFormat {
      case .yuv420, .nv12:
        return reader.read(luma: bytes, bytesPerRow: format.bytesPerRow)
      case .yuyv:
        return reader.read { x, y in Int(bytes[y * format.bytesPerRow + 2 * x]) }
      case .rgb, .bgr:
        // The blocks are grey and the mark is found by comparison, so green stands for luma.
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

  /// The mean over the middle of a rectangle, where its neighbours do not bleed in.
  private func mean(_ rectangle: PixelRectangle, _ luma: Luma) -> Double {
    guard rectangle.right > rectangle.left, rectangle.bottom > rectangle.top else { return 128 }
    func middle(_ start: Int, _ end: Int) -> ClosedRange<Int> {
      let rim = (end - start) / 4
      return (start + rim)...(end - 1 - rim)
    }
    let columns = middle(rectangle.left, rectangle.right)
    let rows = middle(rectangle.top, rectangle.bottom)
    // At most 16 × 16 samples: enough for a mean, and cheap on 12 megapixels.
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
