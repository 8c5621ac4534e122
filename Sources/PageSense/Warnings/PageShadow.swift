/// The search for a shadow: a part of the page that is too dark for its text, from its side on.
///
/// A dark picture on a page ends before the page does, and a shadow does not. The outline may have
/// the page's lit part alone. So the search goes on beyond each side: in a shadow, too, paper is
/// brighter than the ground beside it.
struct PageShadow {
  let picture: SmallPicture
  let page: Quadrilateral

  /// The share of a field's samples that may be ink.
  private static let ink = 0.8
  /// The distance from the line on which a side goes on, in pixels.
  private static let distance = 3.0
  /// The length that is looked at beyond a side, as a share of the neighboring sides.
  private static let reach = 0.4

  /// Whether the shadow is large enough to be warned of.
  var isLarge: Bool {
    darkShare() >= PageThresholds.shadow
      || page.corners.indices.contains { goesOnInTheDark(beyond: $0) }
  }

  /// Returns the share of the outline's fields that are dark, and joined to its border by dark ones.
  private func darkShare() -> Double {
    let fields = PageFields(picture, page: page, share: Self.ink)
    let dark = fields.joinedToBorder { $0 < PageThresholds.darkPaper }
    return Double(dark.count) / Double(max(fields.count, 1))
  }

  /// Whether the page goes on in the dark beyond the side that begins at a corner.
  private func goesOnInTheDark(beyond index: Int) -> Bool {
    let corners = page.corners
    guard corners.count == 4 else { return false }
    let (start, end) = (corners[index], corners[(index + 1) % 4])
    let (before, after) = (corners[(index + 3) % 4], corners[(index + 2) % 4])
    let side = end - start
    guard side.length > 4 * Self.distance else { return false }
    let inward = side / side.length * Self.distance
    // Both neighboring sides must go on.
    return isDarkEdge(from: start, along: start - before, inward: inward)
      && isDarkEdge(from: end, along: end - after, inward: SIMD2(0, 0) - inward)
  }

  /// Whether dark paper and the darker ground beside it go on along a line.
  private func isDarkEdge(
    from corner: SIMD2<Double>, along: SIMD2<Double>, inward: SIMD2<Double>
  ) -> Bool {
    let length = along.length
    guard length > 4 * Self.distance else { return false }
    var count = 0
    for place in stride(from: Self.distance, to: length * Self.reach, by: 1) {
      let point = corner + along / length * place
      guard let paper = picture.index(at: point + inward),
        let ground = picture.index(at: point - inward)
      else { break }
      let (light, dark) = (Double(picture.luma[paper]), Double(picture.luma[ground]))
      if light < Double(PageThresholds.darkPaper), light >= PageThresholds.shadowEdge * dark + 1 {
        count += 1
      }
    }
    return Double(count) >= PageThresholds.shadow * length
  }
}
