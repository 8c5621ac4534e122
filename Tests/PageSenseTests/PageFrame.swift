import Devices
import Foundation
import PageSense
import TestSupport

@testable import SimulatedDevices

/// A frame of the simulated page, as tests spoil it.
struct PageFrame {
  let format: StreamFormat
  var bytes: [UInt8]

  private var size: FrameSize { format.size }

  /// A frame of one level.
  init(level: UInt8, size: FrameSize, pixelFormat: PixelFormat = .yuv420) {
    let width = (size.width + 1) / 2 * 2
    let bytesPerRow =
      switch pixelFormat {
      case .yuv420, .nv12: width
      case .yuyv: 2 * width
      case .rgb, .bgr: 3 * width
      case .mjpeg: 0
      }
    format = StreamFormat(
      size: size, pixelFormat: pixelFormat, bytesPerRow: bytesPerRow, colorSpace: .jpeg)
    bytes = [UInt8](repeating: level, count: format.byteCount)
  }

  /// The page on its desk, as a turned camera sees it.
  init(
    page: Int = 1, turn: QuarterTurn = .none, size: FrameSize = FrameSize(width: 1280, height: 960),
    pixelFormat: PixelFormat = .yuv420, look: SceneLook = SceneLook(), hasHand: Bool = false
  ) {
    self.init(level: 0, size: size, pixelFormat: pixelFormat)
    let format = format
    bytes.withUnsafeMutableBytes { bytes in
      guard let base = bytes.baseAddress else { return }
      PageScene(page: page, turn: turn, look: look, format: format, hasHand: hasHand)
        .paint(on: base)
    }
  }

  /// Paints the frame counter's number.
  mutating func number(_ number: UInt32) {
    let format = format
    bytes.withUnsafeMutableBytes { bytes in
      guard let base = bytes.baseAddress else { return }
      PageScene.paintFrameNumber(number, format: format, on: base)
    }
  }

  /// The luma of each pixel of a planar frame.
  private func luma(_ x: Int, _ y: Int) -> Int {
    let column = min(max(x, 0), size.width - 1)
    let row = min(max(y, 0), size.height - 1)
    return Int(bytes[row * format.bytesPerRow + column])
  }

  /// Paints the pixels of a planar frame for which a closure has a color.
  mutating func paint(_ color: (_ x: Int, _ y: Int) -> SceneColor?) {
    let planes = format.planes
    for y in 0..<size.height {
      for x in 0..<size.width {
        guard let color = color(x, y) else { continue }
        bytes[y * format.bytesPerRow + x] = color.luma
        let chroma = y / 2 * planes[1].bytesPerRow + x / 2
        bytes[planes[1].offset + chroma] = color.blue
        bytes[planes[2].offset + chroma] = color.red
      }
    }
  }

  /// Exchanges light and dark in a part of the upright scene.
  mutating func exchangeLightAndDark(in rectangle: SceneRectangle) {
    let part = place(of: rectangle)
    for y in part.top..<part.bottom {
      for x in part.left..<part.right {
        let index = y * format.bytesPerRow + x
        bytes[index] = 255 - bytes[index]
      }
    }
  }

  /// Replaces the luma by its mean over a square.
  mutating func blur(side: Int) {
    for step in [(1, 0), (0, 1)] {
      var means: [UInt8] = []
      for y in 0..<size.height {
        for x in 0..<size.width {
          let sum = (0..<side).reduce(0) { sum, index in
            let shift = index - side / 2
            return sum + luma(x + shift * step.0, y + shift * step.1)
          }
          means.append(UInt8(sum / side))
        }
      }
      for y in 0..<size.height {
        for x in 0..<size.width {
          bytes[y * format.bytesPerRow + x] = means[y * size.width + x]
        }
      }
    }
  }

  /// Turns the luma clockwise around the middle, by the nearest pixel.
  mutating func turn(by degrees: Double) {
    let (sine, cosine) = (sin(degrees * .pi / 180), cos(degrees * .pi / 180))
    let source = self
    for y in 0..<size.height {
      for x in 0..<size.width {
        let (right, down) = (Double(x - size.width / 2), Double(y - size.height / 2))
        let column = Int((cosine * right + sine * down).rounded()) + size.width / 2
        let row = Int((cosine * down - sine * right).rounded()) + size.height / 2
        bytes[y * format.bytesPerRow + x] = UInt8(source.luma(column, row))
      }
    }
  }

  /// Returns the place of a part of the upright scene.
  func place(of rectangle: SceneRectangle) -> PixelRectangle {
    PageSceneLayout(size: size).place(of: rectangle, turn: .none)
  }

  func read(_ limits: PageLimits = .forTests) throws -> PageFindings {
    try bytes.withUnsafeBytes { try PageReader(limits).read(bytes: $0, format: format) }
  }
}

extension PageLimits {
  /// The limits for the page of the scene, whose letters x are 10 pixels high.
  static let forTests = PageLimits(minimumLetterHeight: 7)
}
