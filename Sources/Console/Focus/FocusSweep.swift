public import API

/// A search for the sharpest lens position: through the whole range first, then finely around the
/// best.
public struct FocusSweep: Sendable, Hashable {
  /// A position and how sharp it is.
  public struct Step: Sendable, Hashable, Codable {
    /// The lens position in dioptres.
    public let dioptres: Double
    /// How sharp it is, 0...1.
    public let focus: Double
  }

  /// What comes next.
  public enum Next: Sendable, Hashable {
    /// The lens is to be placed there, in dioptres, and the figure added.
    case place(Double)
    /// This position is the sharpest.
    case found(Step)
    /// No position is sharper than another; why that may be, in a sentence.
    case nothing(String)
  }

  /// The most positions of the first run.
  static let mostPositions = 40
  /// The distance between two of them in dioptres, where the range is no larger.
  static let coarseStep = 0.5
  /// How many positions there are around the best of the first run.
  static let finePositions = 8
  /// How much sharper the best has to be than the least sharp.
  static let leastGain = 1.05
  /// What counts as being as sharp as the best.
  static let plateau = 0.99

  /// What has been measured.
  public private(set) var steps: [Step] = []
  private let lens: LensReport
  private var waiting: [Double]
  private var isFine = false

  /// Begins a search over all positions of a lens.
  public init(_ lens: LensReport) {
    self.lens = lens
    let range = max(0, lens.nearest - lens.farthest)
    let count = min(max(Int((range / Self.coarseStep).rounded(.up)), 2), Self.mostPositions)
    waiting = (0...count).map { lens.farthest + range * Double($0) / Double(count) }
  }

  /// How many positions there are in all.
  public var positionCount: Int {
    steps.count + waiting.count + (isFine ? 0 : Self.finePositions)
  }

  /// What comes next.
  public var next: Next {
    if let first = waiting.first { return .place(first) }
    guard let best = steps.max(by: { $0.focus < $1.focus }),
      let least = steps.map(\.focus).min(), best.focus > least * Self.leastGain
    else {
      return .nothing(
        "No lens position is sharper than another: lay something with fine print under the camera.")
    }
    // The middle of what is as sharp as the best, next to it.
    let sorted = steps.sorted { $0.dioptres < $1.dioptres }
    let index = sorted.firstIndex(of: best) ?? 0
    let isSharp = { (step: Step) in step.focus >= best.focus * Self.plateau }
    let below = sorted[..<index].reversed().prefix(while: isSharp).last ?? best
    let above = sorted[index...].prefix(while: isSharp).last ?? best
    let middle = (below.dioptres + above.dioptres) / 2
    return .found(Step(dioptres: middle, focus: best.focus))
  }

  /// Takes the figure of the position that was wanted.
  public mutating func add(_ focus: Double) {
    guard !waiting.isEmpty else { return }
    steps.append(Step(dioptres: waiting.removeFirst(), focus: focus.isFinite ? focus : 0))
    guard waiting.isEmpty, !isFine, case .found(let best) = next else { return }
    isFine = true
    let coarse = steps.map(\.dioptres).sorted()
    let distance = coarse.count > 1 ? coarse[1] - coarse[0] : 0
    let half = Self.finePositions / 2
    waiting = (-half...half).filter { $0 != 0 }
      .map { best.dioptres + distance * Double($0) / Double(half + 1) }
      .filter { (lens.farthest...lens.nearest).contains($0) }
  }
}
