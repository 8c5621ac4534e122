import Devices

/// A rectangle of whole pixels, without its right and bottom borders.
struct PixelRectangle: Sendable, Hashable {
  var left: Int
  var top: Int
  var right: Int
  var bottom: Int

  /// Returns a block of a row of equal blocks.
  func block(_ index: Int, of count: Int) -> PixelRectangle {
    let width = right - left
    return PixelRectangle(
      left: left + width * index / count, top: top,
      right: left + width * (index + 1) / count, bottom: bottom)
  }
}

/// A rectangle on the upright scene, in units of the picture's shorter side from its center.
///
/// The vertical axis goes down.
struct SceneRectangle: Sendable, Hashable {
  var left: Double
  var top: Double
  var right: Double
  var bottom: Double

  /// Returns a block of a row of equal blocks.
  func block(_ index: Int, of count: Int) -> SceneRectangle {
    let width = (right - left) / Double(count)
    let start = left + width * Double(index)
    return SceneRectangle(left: start, top: top, right: start + width, bottom: bottom)
  }

  /// Returns the rectangle in a turned camera's picture, in which the scene turns the other way.
  func seen(byCameraTurned turn: QuarterTurn) -> SceneRectangle {
    switch turn {
    case .none: self
    case .clockwise90: SceneRectangle(left: top, top: -right, right: bottom, bottom: -left)
    case .half: SceneRectangle(left: -right, top: -bottom, right: -left, bottom: -top)
    case .clockwise270: SceneRectangle(left: -bottom, top: left, right: -top, bottom: right)
    }
  }
}

/// The layout of a picture of the page scene, as a function of the picture's size.
struct PageSceneLayout: Sendable, Hashable {
  /// A sheet with the proportions of A4, upright, that fits into the picture in every turn.
  static let sheet = SceneRectangle(left: -0.297, top: -0.42, right: 0.297, bottom: 0.42)
  /// The bar along the sheet's top edge, which marks the "up" direction.
  static let upBar = SceneRectangle(left: -0.25, top: -0.40, right: 0.25, bottom: -0.35)
  /// The triangle below the bar, which points to it.
  static let upTriangle = SceneRectangle(left: -0.06, top: -0.335, right: 0.06, bottom: -0.275)
  /// The page's number as a ``BlockCode``.
  static let pageCode = SceneRectangle(left: -0.25, top: -0.26, right: 0.25, bottom: -0.225)
  /// The area of the lines of text.
  static let text = SceneRectangle(left: -0.25, top: -0.20, right: 0.25, bottom: 0.20)
  /// The size of the text, an em: 22 pixels in a picture with 1080 rows.
  static let em = 0.02
  /// The area of a colored picture below the text.
  static let photograph = SceneRectangle(left: -0.19, top: 0.21, right: 0.19, bottom: 0.35)
  /// A palm beyond the sheet's right edge, and four fingers on the text.
  static let hand: [SceneRectangle] =
    [SceneRectangle(left: 0.14, top: -0.02, right: 0.5, bottom: 0.25)]
    + (0..<4).map { finger in
      let top = -0.01 + 0.065 * Double(finger)
      return SceneRectangle(left: -0.05, top: top, right: 0.14, bottom: top + 0.05)
    }
  /// The top of the line with the page's number in digits.
  static let pageNumber = 0.372

  /// Returns the number of the typeface's bitmap pixels in a length of the scene.
  static func bitmapPixels(_ length: Double) -> Int { Int(length / em * Double(Typeface.em)) }

  /// The picture's size.
  let size: FrameSize
  /// The factor by which the field of view is narrowed, 1 or more.
  var zoom = 1.0

  private var unit: Double { Double(min(size.width, size.height)) }

  /// The strip of the frame counter, along the sensor's last rows at any turn.
  var frameCode: PixelRectangle {
    let margin = size.width / 50
    let bottom = size.height - max(1, Int(unit * 0.005))
    return PixelRectangle(
      left: margin, top: bottom - max(2, Int(unit * 0.05)), right: size.width - margin,
      bottom: bottom)
  }

  /// The strip and its rim, which separates the counter from the scene.
  var frameCodeBackground: PixelRectangle {
    PixelRectangle(
      left: 0, top: frameCode.top - max(1, Int(unit * 0.005)), right: size.width,
      bottom: size.height)
  }

  /// The number of picture pixels for a pixel of the typeface's bitmaps.
  var textScale: Double { PageSceneLayout.em * unit * zoom / Double(Typeface.em) }

  /// Returns the pixels of a part of the scene in a turned camera's view, clipped to the picture.
  func pixels(of rectangle: SceneRectangle, turn: QuarterTurn) -> PixelRectangle {
    let place = place(of: rectangle, turn: turn)
    func clipped(_ value: Int, to limit: Int) -> Int { min(max(value, 0), limit) }
    return PixelRectangle(
      left: clipped(place.left, to: size.width), top: clipped(place.top, to: size.height),
      right: clipped(place.right, to: size.width), bottom: clipped(place.bottom, to: size.height))
  }

  /// Returns the place of a part of the scene in a turned camera's view, also outside the picture.
  func place(of rectangle: SceneRectangle, turn: QuarterTurn) -> PixelRectangle {
    let seen = rectangle.seen(byCameraTurned: turn)
    let unit = unit * zoom
    let centerX = Double(size.width) / 2
    let centerY = Double(size.height) / 2
    return PixelRectangle(
      left: Int((centerX + seen.left * unit).rounded()),
      top: Int((centerY + seen.top * unit).rounded()),
      right: Int((centerX + seen.right * unit).rounded()),
      bottom: Int((centerY + seen.bottom * unit).rounded()))
  }
}
