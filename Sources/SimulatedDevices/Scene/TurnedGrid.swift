import Devices

/// The pixels of an upright part of the scene in the picture of a turned camera.
struct TurnedGrid {
  /// The picture's column of the part's top left.
  let x: Int
  /// The picture's row of the part's top left.
  let y: Int
  /// A step to the right on the upright scene.
  let right: (x: Int, y: Int)
  /// A step down on the upright scene.
  let down: (x: Int, y: Int)

  /// Makes a grid over the place of a part; see ``SceneRectangle/seen(byCameraTurned:)``.
  init(over place: PixelRectangle, turn: QuarterTurn) {
    switch turn {
    case .none: (x, y, right, down) = (place.left, place.top, (1, 0), (0, 1))
    case .clockwise90: (x, y, right, down) = (place.left, place.bottom - 1, (0, -1), (1, 0))
    case .half: (x, y, right, down) = (place.right - 1, place.bottom - 1, (-1, 0), (0, -1))
    case .clockwise270: (x, y, right, down) = (place.right - 1, place.top, (0, 1), (-1, 0))
    }
  }

  /// Returns the picture's pixel of an upright pixel.
  func pixel(column: Int, row: Int) -> (x: Int, y: Int) {
    (x + column * right.x + row * down.x, y + column * right.y + row * down.y)
  }
}
