package import API

/// A search for the sharpest lens position: over the whole range, then finely around the best.
package struct FocusSweep: Sendable, Hashable {
  /// A lens position with its sharpness.
  package struct Step: Sendable, Hashable, Codable {
    /// The lens position in diopters.
    package let diopters: Double
    /// The sharpness, 0...1.
    package let focus: Double
  }

  /// The next step of the search.
  package enum Next: Sendable, Hashable {
    /// The caller moves the lens to a position in diopters and adds the measured sharpness.
    case place(Double)
    /// The search has found the sharpest position.
    case found(Step)
    /// No position is sharper than another; the text gives the likely reason in a sentence.
    case nothing(String)
  }

  /// The most steps between positions of the first run.
  static let mostPositions = 40
  /// The largest distance of two positions of the first run in diopters, if the range allows.
  static let coarseStep = 0.5
  /// The number of positions around the best of the first run.
  static let finePositions = 8
  /// The least ratio of the best sharpness to the lowest.
  static let leastGain = 1.05
  /// The share of the best sharpness from which a position counts as equally sharp.
  static let plateau = 0.99

  /// The measurements so far.
  package private(set) var steps: [Step] = []
  private let lens: LensReport
  private var waiting: [Double]
  private var isFine = false

  /// Begins a search over all positions of a lens.
  package init(_ lens: LensReport) {
    self.lens = lens
    let range = max(0, lens.nearest - lens.farthest)
    let count = min(max(Int((range / Self.coarseStep).rounded(.up)), 2), Self.mostPositions)
    waiting = (0...count).map { lens.farthest + range * Double($0) / Double(count) }
  }

  /// The total number of positions.
  package var positionCount: Int {
    steps.count + waiting.count + (isFine ? 0 : Self.finePositions)
  }

  /// The next step of the search.
  package var next: Next {
    if let first = waiting.first { return .place(first) }
    guard let best = steps.max(by: { $0.focus < $1.focus }),
      let least = steps.map(\.focus).min(), best.focus > least * Self.leastGain
    else {
      return .nothing(
        "No lens position is sharper than another: lay something with fine print under the camera.")
    }
    // The result is the middle of the adjacent positions that are as sharp as the best.
    let sorted = steps.sorted { $0.diopters < $1.diopters }
    let index = sorted.firstIndex(of: best) ?? 0
    let isSharp = { (step: Step) in step.focus >= best.focus * Self.plateau }
    let below = sorted[..<index].reversed().prefix(while: isSharp).last ?? best
    let above = sorted[index...].prefix(while: isSharp).last ?? best
    let middle = (below.diopters + above.diopters) / 2
    return .found(Step(diopters: middle, focus: best.focus))
  }

  /// Adds the sharpness measured at the requested position.
  package mutating func add(_ focus: Double) {
    guard !waiting.isEmpty else { return }
    steps.append(Step(diopters: waiting.removeFirst(), focus: focus.isFinite ? focus : 0))
    guard waiting.isEmpty, !isFine, case .found(let best) = next else { return }
    isFine = true
    let coarse = steps.map(\.diopters).sorted()
    let distance = coarse.count > 1 ? coarse[1] - coarse[0] : 0
    let half = Self.finePositions / 2
    waiting = (-half...half).filter { $0 != 0 }
      .map { best.diopters + distance * Double($0) / Double(half + 1) }
      .filter { (lens.farthest...lens.nearest).contains($0) }
  }
}
