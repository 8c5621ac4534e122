/// The light on a page: its paper's level and color, and reflections.
struct PageLight: Sendable, Hashable {
  /// The level of the paper, 0...255: most of a page is paper, also between lines of text.
  let paper: Int
  /// The chroma of the paper in blue and in red, 128 for neutral paper.
  let blue: Int
  let red: Int
  /// The share of the page that is saturated.
  let saturated: Double

  /// Reads the light of a page in a small picture with colors.
  init(_ picture: SmallPicture, page: Quadrilateral) {
    var (levels, blues, reds) = (
      [Int](repeating: 0, count: 256), [Int](repeating: 0, count: 256),
      [Int](repeating: 0, count: 256)
    )
    let inside = page.shrunk(to: 0.965)
    let spans = (0..<picture.height).map {
      inside.span(ofRow: $0).clamped(to: 0..<picture.width)
    }
    for (row, span) in spans.enumerated() {
      for column in span { levels[Int(picture.luma[row * picture.width + column])] += 1 }
    }
    let paper = levels.level(atShare: 0.6)
    for (row, span) in spans.enumerated() {
      for column in span {
        let index = row * picture.width + column
        guard Int(picture.luma[index]) >= paper - 4 else { continue }
        blues[Int(picture.blue[index])] += 1
        reds[Int(picture.red[index])] += 1
      }
    }
    self.paper = paper
    blue = blues.level(atShare: 0.5)
    red = reds.level(atShare: 0.5)
    let white = Pix(width: picture.width, height: picture.height) { x, y in
      spans[y].contains(x) && picture.luma[y * picture.width + x] >= PageThresholds.saturated
    }
    var count = 0
    // Single pixels are sparks of noise or of a glossy letter.
    white?.morphed("o3.3")?.forEachRow { _, isSet in
      count += (0..<picture.width).count(where: isSet)
    }
    saturated = Double(count) / max(page.area, 1)
  }
}
