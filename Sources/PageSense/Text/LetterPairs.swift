/// The letters of a text whose lines are level or upright: their height, and which way up they are.
///
/// A small letter beside a letter with an ascender stands on the same line as that letter. A small
/// letter beside a letter with a descender ends at the same height. Latin text has two to eight
/// times as many ascenders and capitals as descenders. Cyrillic text has more descenders, and half
/// as many tall letters. Capitals alone and digits alone have no such pairs.
struct LetterPairs: Sendable, Hashable {
  /// The number of letters.
  let count: Int
  /// The height of a small letter x in pixels; 0 without letters.
  private(set) var letterHeight = 0
  /// The share of the letters of that height.
  private(set) var shareOfHeight = 0.0
  /// The share of the letters that are as tall as those with an ascender or a descender.
  private(set) var shareOfTall = 0.0
  /// The numbers of pairs with an ascender and with a descender.
  private(set) var (ascenders, descenders) = (0, 0)

  /// The tolerance of a place, as a share of the height of a small letter.
  static let tolerance = 0.14

  init(_ boxes: [PixelBox]) {
    count = boxes.count
    measureHeight(boxes)
    guard letterHeight > 0 else { return }
    shareOfTall = Double(boxes.count(where: isTall)) / Double(count)
    countPairs(boxes.sorted { $0.x < $1.x })
  }

  /// The excess of one kind of pairs in standard deviations; above 0 for upright text.
  var excess: Double {
    Double(ascenders - descenders) / Double(ascenders + descenders + 1).squareRoot()
  }

  /// The number of pairs for each letter.
  var share: Double { Double(ascenders + descenders) / Double(max(count, 1)) }

  /// Returns the trust in the sign of ``excess``: 1 and more where it may tell the way up.
  ///
  /// - Parameter other: the pairs along the lines of a quarter turn.
  func trust(beside other: LetterPairs) -> Double {
    min(
      abs(excess) / PageThresholds.pairs, ratio / PageThresholds.pairRatio,
      share / PageThresholds.pairShare, shareOfTall / PageThresholds.shareOfTall,
      // Parts of Korean syllables have pairs of one kind, and hardly a common height.
      shareOfHeight / PageThresholds.shareOfHeight, PageThresholds.oneSidedness / oneSidedness,
      abs(excess) / max(2 * abs(other.excess), 0.001))
  }

  /// The ratio of the commoner kind of pairs to the rarer one.
  var ratio: Double {
    Double(max(ascenders, descenders)) / Double(max(min(ascenders, descenders), 1))
  }

  /// The ratio of the pairs, higher where few letters have the height of a small letter x.
  private var oneSidedness: Double {
    // A short text may have no pair of the rarer kind.
    Double(max(ascenders, descenders)) / Double(min(ascenders, descenders) + 2)
      / max(shareOfHeight, 0.001)
  }

  /// Takes the commonest height, or a smaller one that is nearly as common.
  private mutating func measureHeight(_ boxes: [PixelBox]) {
    var counts = [Double](repeating: 0, count: 400)
    var total = 0.0
    for box in boxes
    where (3..<counts.count - 2).contains(box.height) && box.width <= 4 * box.height
      && box.height <= 6 * box.width
    {
      counts[box.height] += 1
      total += 1
    }
    guard total > 0 else { return }
    var smooth = counts
    for height in 1..<counts.count - 1 {
      smooth[height] += (counts[height - 1] + counts[height + 1]) / 2
    }
    // Pieces of broken letters are many, but small, and smaller than any x beside its capitals.
    let heights = 5..<counts.count - 1
    let commonest = heights.max { smooth[$0] * Double($0) < smooth[$1] * Double($1) } ?? 5
    let smallest = max(4, commonest * 6 / 10)
    let height = (smallest...max(smallest, commonest)).first {
      smooth[$0] >= smooth[commonest] / 2 && smooth[$0] >= smooth[$0 - 1]
        && smooth[$0] >= smooth[$0 + 1]
    }
    guard let height, smooth[height] > 0 else { return }
    letterHeight = height
    shareOfHeight = smooth[height] / (total + 1)
  }

  private mutating func countPairs(_ boxes: [PixelBox]) {
    let height = Double(letterHeight)
    let tolerance = max(1, Self.tolerance * height)
    for (index, box) in boxes.enumerated() where abs(Double(box.height) - height) <= tolerance {
      for step in [-1, 1] {
        guard let neighbor = self.neighbor(of: index, in: boxes, step: step), isTall(neighbor),
          Double(neighbor.width) <= 2.5 * height
        else { continue }
        let below = Double(abs(neighbor.bottom - box.bottom))
        let above = Double(abs(neighbor.y - box.y))
        if below <= tolerance, above > 1.5 * tolerance {
          ascenders += 1
        } else if above <= tolerance, below > 1.5 * tolerance {
          descenders += 1
        }
      }
    }
  }

  /// Whether a letter is as tall as one with an ascender, which narrow print has 1.2 times an x.
  private func isTall(_ box: PixelBox) -> Bool {
    (1.15...1.8).contains(Double(box.height) / Double(letterHeight))
      && box.height - letterHeight >= 2
  }

  /// Returns the nearest letter of the same line on one side.
  private func neighbor(of index: Int, in boxes: [PixelBox], step: Int) -> PixelBox? {
    let box = boxes[index]
    let height = letterHeight
    var nearest: (gap: Int, box: PixelBox)?
    var other = index + step
    while boxes.indices.contains(other) {
      let candidate = boxes[other]
      if step > 0 ? candidate.x > box.right + height : candidate.x < box.x - 5 * height { break }
      other += step
      let gap = step > 0 ? candidate.x - box.right : box.x - candidate.right
      let shared = min(box.bottom, candidate.bottom) - max(box.y, candidate.y)
      guard 3 * gap >= -height, gap <= height, 10 * shared >= 7 * height,
        gap < nearest?.gap ?? .max
      else { continue }
      nearest = (gap, candidate)
    }
    return nearest?.box
  }
}
