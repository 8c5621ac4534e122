/// The search for hands: parts in the color of skin that come over a side of the page.
///
/// Skin of any shade is redder and less blue than paper in the same light. A picture on the page
/// may have that color too. But a picture ends at the page's side, and a hand goes on beyond it. So
/// a page that fills the picture has no hands to be found.
/// A camera without color finds no hands.
struct HandFinder {
  let picture: SmallPicture
  let page: Quadrilateral
  let light: PageLight

  /// The distance on both sides of a page's side at which colors are compared, in pixels.
  private static let distance = 4.0

  /// Returns the share of the page that the largest hand covers; 0 without a hand.
  func coveredShare() -> Double {
    let (width, height) = (picture.width, picture.height)
    let colored = Pix(width: width, height: height) { x, y in isSkin(y * width + x) }
    guard let skin = colored?.morphed("o3.3 + c3.3") else { return 0 }
    let inside = page.shrunk(to: 0.985)
    skin.clear { inside.span(ofRow: $0) }
    let least = PageThresholds.hand * page.area
    let parts = skin.components(isJoinedAtCorners: true) { Double($0.area) >= least }
    return parts.reduce(0) { largest, part in
      var pixels = Set<Int>()
      part.picture.forEachRow { row, isSet in
        for column in 0..<part.box.width where isSet(column) {
          pixels.insert((part.box.y + row) * width + part.box.x + column)
        }
      }
      let share = Double(pixels.count) / max(page.area, 1)
      guard share > largest, share >= PageThresholds.hand, goesOn(pixels) else { return largest }
      return share
    }
  }

  private func isSkin(_ index: Int) -> Bool {
    picture.luma[index] < PageThresholds.skinLight
      && Int(picture.red[index]) - light.red >= PageThresholds.skinRed
      && Int(picture.blue[index]) - light.blue <= PageThresholds.skinBlue
  }

  /// Whether a part of the page goes on beyond the page's sides, where it reaches them.
  private func goesOn(_ pixels: Set<Int>) -> Bool {
    var (reached, crossed) = (0, 0)
    for side in page.sides {
      let length = (side.to - side.from).length
      let along = (side.to - side.from) / max(length, 1)
      let outward = SIMD2(along.y, -along.x) * Self.distance
      for place in stride(from: 2, to: length - 2, by: 1) {
        let point = side.from + along * place
        guard let inside = picture.index(at: point - outward), pixels.contains(inside) else {
          continue
        }
        reached += 1
        // A finger may come aslant.
        let isOn = [-5.0, 0, 5].contains { shift in
          guard let outside = picture.index(at: point + outward + along * shift) else {
            return true
          }
          return isAlike(inside, outside)
        }
        if isOn { crossed += 1 }
      }
    }
    return reached >= 3 && Double(crossed) >= PageThresholds.handCrossing * Double(reached)
  }

  private func isAlike(_ one: Int, _ other: Int) -> Bool {
    func difference(_ samples: [UInt8]) -> Int { abs(Int(samples[one]) - Int(samples[other])) }
    return difference(picture.luma) <= PageThresholds.handLuma
      && difference(picture.blue) <= PageThresholds.handChroma
      && difference(picture.red) <= PageThresholds.handChroma
  }
}
