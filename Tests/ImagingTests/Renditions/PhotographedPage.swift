import Devices
import Foundation

@testable import Imaging

/// A page as a pinhole camera sees it from aside, with known places.
///
/// Places come from rays of light through the camera, and not from a map of one plane to another.
struct PhotographedPage {
  /// The places of dark discs, as shares of the page's width and height: no turn keeps them.
  static let marks: [SIMD2<Double>] = [
    SIMD2(0.05, 0.04), SIMD2(0.5, 0.04), SIMD2(0.95, 0.04), SIMD2(0.2, 0.3), SIMD2(0.75, 0.35),
    SIMD2(0.1, 0.62), SIMD2(0.6, 0.7), SIMD2(0.05, 0.96), SIMD2(0.35, 0.9), SIMD2(0.95, 0.96),
  ]
  static let paper = RGB(red: 215, green: 195, blue: 165)
  private static let ground = RGB(red: 40, green: 60, blue: 80)
  private static let ink = RGB(red: 25, green: 25, blue: 25)
  private static let focalLength = 900.0

  let frame = FrameSize(width: 640, height: 480)
  /// The size of the page in pixels, if it is seen from straight above.
  let size = SIMD2(270.0, 360.0)
  /// The clockwise angle that turns the frame upright.
  var turn = 0
  /// The clockwise angle of the page after the turn, in degrees.
  var rotation = 7.0
  /// The clockwise angle of the rule in the middle to the page, in degrees.
  var slant = 0.0
  /// The largest deviation of a sample.
  var noise = 0.0

  /// The directions on the page to the right and down, in the space before the camera.
  private var axes: (right: SIMD3<Double>, down: SIMD3<Double>) {
    let angle = (rotation - Double(turn)) * .pi / 180
    let (one, other) = (9 * Double.pi / 180, -6 * Double.pi / 180)
    func tilted(_ x: Double, _ y: Double) -> SIMD3<Double> {
      let (height, depth) = (y * cos(one), y * sin(one))
      return SIMD3(
        x * cos(other) + depth * sin(other), height, depth * cos(other) - x * sin(other))
    }
    return (tilted(cos(angle), sin(angle)), tilted(-sin(angle), cos(angle)))
  }

  /// The middle of the frame in pixels from its top left corner.
  private var middle: SIMD2<Double> { SIMD2(Double(frame.width), Double(frame.height)) / 2 }

  /// Returns the place in the frame, in pixels, of a place on the page, in pixels from its middle.
  private func seen(_ place: SIMD2<Double>) -> SIMD2<Double> {
    let axes = axes
    let point = axes.right * place.x + axes.down * place.y + SIMD3(0, 0, Self.focalLength)
    return middle + SIMD2(point.x, point.y) * Self.focalLength / point.z
  }

  /// The direction of the rule on the page.
  private var rule: SIMD2<Double> { SIMD2(cos(slant * .pi / 180), sin(slant * .pi / 180)) }

  /// The findings that a perfect reader has.
  var findings: PageFindings {
    var findings = PageFindings()
    let corners = [SIMD2(-0.5, -0.5), SIMD2(0.5, -0.5), SIMD2(0.5, 0.5), SIMD2(-0.5, 0.5)].map {
      seen($0 * size) / (middle * 2)
    }
    let first = corners.indices.min { corners[$0].sum() < corners[$1].sum() } ?? 0
    findings.outline = Array(corners[first...] + corners[..<first]).map {
      PageFindings.Point(x: $0.x, y: $0.y)
    }
    let line = seen(rule) - seen(-rule)
    let angle = atan2(line.y, line.x) * 180 / .pi
    findings.skew = remainder(-angle - Double(turn), 360)
    findings.textAngle = turn
    findings.textConfidence = 5
    findings.letterHeight = 16
    findings.warnings = [.glare, .pageCrooked]
    return findings
  }

  /// Paints the frame.
  func taken(_ pixelFormat: PixelFormat = .yuv420) -> TestFrame {
    let (axes, middle, rule) = (axes, middle, rule)
    let normal = SIMD3(
      axes.right.y * axes.down.z - axes.right.z * axes.down.y,
      axes.right.z * axes.down.x - axes.right.x * axes.down.z,
      axes.right.x * axes.down.y - axes.right.y * axes.down.x)
    let isRGB = pixelFormat == .rgb || pixelFormat == .bgr
    let colorSpace: ColorSpace =
      isRGB ? .unspecified : pixelFormat == .nv12 ? .bt709Limited : .jpeg
    var random = SeededNoise(state: 9)
    return TestFrame(
      pixelFormat, colorSpace, width: frame.width, height: frame.height, extraBytesPerRow: 8
    ) { column, row in
      let pixel = SIMD2(Double(column), Double(row)) + 0.5 - middle
      let ray = SIMD3(pixel.x, pixel.y, Self.focalLength)
      let reach = Self.focalLength * normal.z / (ray * normal).sum()
      let point = ray * reach - SIMD3(0, 0, Self.focalLength)
      let place = SIMD2((point * axes.right).sum(), (point * axes.down).sum())
      guard abs(place.x) < size.x / 2, abs(place.y) < size.y / 2 else { return Self.ground }
      let isOnRule =
        abs((place * rule).sum()) < 0.4 * size.x && abs(place.y * rule.x - place.x * rule.y) < 1.5
      let isInk =
        isOnRule || Self.marks.contains { (($0 - 0.5) * size - place).length < 5 }
      var color = isInk ? Self.ink : Self.paper
      if noise > 0 { color.green += Double(random.next(Int(2 * noise))) - noise }
      return color
    }
  }
}
