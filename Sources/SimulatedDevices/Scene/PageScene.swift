import Devices

/// A page on a desk in a turned camera's view, which depends only on the properties here.
///
/// The sheet has an "up" bar and triangle at its top edge, its number as blocks, a page of a book
/// and a colored picture. So JPEG images of the sheet have a realistic size. Everything but the
/// letters consists of rectangles, which stay rectangles when the camera is turned by quarters.
struct PageScene: Sendable, Hashable {
  var page: Int
  var turn: QuarterTurn
  var look = SceneLook()
  var format: StreamFormat
  /// The scene in linear light; `nil` for the plain page, which costs less.
  var linear: LinearScene?
  /// Whether a hand lies over the sheet.
  var hasHand = false

  /// Paints everything but the frame counter and the noise of a linear scene.
  func paint(on base: UnsafeMutableRawPointer) {
    if let linear {
      picture(of: linear).develop(look, format: format, into: base)
      return
    }
    let canvas = FrameCanvas(format: format, base: base)
    let layout = PageSceneLayout(size: format.size, zoom: look.zoom)
    func fill(_ rectangle: SceneRectangle, _ brush: SceneBrush) {
      canvas.fill(layout.pixels(of: rectangle, turn: turn), with: brush)
    }
    paintDesk(fill)
    let paper = brush(SceneColor(luma: 222, blue: 124, red: 131))
    fill(PageSceneLayout.sheet, paper)
    let mark = brush(SceneColor(luma: 60, blue: 104, red: 188), noise: 1)
    fill(PageSceneLayout.upBar, mark)
    paintTriangle { fill($0, mark) }
    let ink = brush(SceneColor(luma: 38), paintsChroma: false)
    let code = BlockCode.page
    for (index, isBlack) in code.blocks(of: UInt64(page)).enumerated() where isBlack {
      fill(PageSceneLayout.pageCode.block(index, of: code.blockCount), ink)
    }
    // Out of focus, fine strokes run into the paper.
    let textInk = look.seen(SceneColor(luma: look.isSharp ? 38 : 170)).luma
    paintText(on: canvas, layout: layout, ink: textInk)
    paintPhotograph(fill)
    if hasHand {
      let skin = brush(SceneColor(luma: 165, blue: 108, red: 158))
      for part in PageSceneLayout.hand { fill(part, skin) }
    }
    let rim = SceneBrush(SceneColor(luma: 235), format: format, noise: 0)
    canvas.fill(layout.frameCodeBackground, with: rim)
  }

  private func brush(_ color: SceneColor, paintsChroma: Bool = true, noise: Int = 2) -> SceneBrush {
    SceneBrush(look.seen(color), format: format, paintsChroma: paintsChroma, noise: noise)
  }

  /// Paints the number of a frame into the sensor's last rows.
  static func paintFrameNumber(
    _ number: UInt32, format: StreamFormat, on base: UnsafeMutableRawPointer
  ) {
    FrameCanvas.fill(
      PageSceneLayout(size: format.size).frameCode, with: UInt64(number), in: .frame,
      format: format, base: base)
  }

  private func paintDesk(_ fill: (SceneRectangle, SceneBrush) -> Void) {
    let size = format.size
    let reach = Double(max(size.width, size.height)) / Double(min(size.width, size.height)) / 2
    let brushes = (0..<8).map { shade in
      brush(SceneColor(luma: UInt8(138 + 4 * shade), blue: 112, red: 142), noise: 3)
    }
    let plank = 0.08
    for index in 0..<Int((2 * reach / plank).rounded(.up)) {
      let top = -reach + plank * Double(index)
      // Each plank has a few strips of slightly different shade as its grain.
      for strip in 0..<8 {
        let shade = SplitMix64.hash(UInt64(index), UInt64(strip)) % 8
        let start = top + plank / 8 * Double(strip)
        fill(
          SceneRectangle(left: -reach, top: start, right: reach, bottom: start + plank / 8),
          brushes[Int(shade)])
      }
    }
  }

  private func paintTriangle(_ fill: (SceneRectangle) -> Void) {
    let triangle = PageSceneLayout.upTriangle
    let steps = 24
    let height = (triangle.bottom - triangle.top) / Double(steps)
    for step in 0..<steps {
      let half = triangle.right * Double(step + 1) / Double(steps)
      let top = triangle.top + height * Double(step)
      fill(SceneRectangle(left: -half, top: top, right: half, bottom: top + height))
    }
  }

  private func paintPhotograph(_ fill: (SceneRectangle, SceneBrush) -> Void) {
    let area = PageSceneLayout.photograph
    let rows = 8
    let columns = 12
    var random = SplitMix64(seed: SplitMix64.hash(UInt64(page), 0x7068_6F74))
    for row in 0..<rows {
      let top = area.top + (area.bottom - area.top) * Double(row) / Double(rows)
      let bottom = area.top + (area.bottom - area.top) * Double(row + 1) / Double(rows)
      let band = SceneRectangle(left: area.left, top: top, right: area.right, bottom: bottom)
      for column in 0..<columns {
        let color = SceneColor(
          luma: UInt8(50 + random.next() % 160), blue: UInt8(88 + random.next() % 80),
          red: UInt8(88 + random.next() % 80))
        fill(band.block(column, of: columns), brush(color))
      }
    }
  }
}
