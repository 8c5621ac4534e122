/// The looks of the last pictures, to which a new one is compared.
public struct NearDuplicates: Sendable {
  /// A picture of which there is a look-alike.
  public struct Match: Sendable, Hashable {
    /// The earlier picture's ID.
    public var id: String
    /// The bits in which the two differ, 0...64.
    public var distance: Int
  }

  private let threshold: Int
  private let window: Int
  private var looks: [(id: String, hash: PerceptualHash)] = []

  /// Makes an empty window.
  ///
  /// - Parameters:
  ///   - threshold: the most bits in which two pictures differ that look alike, 0...64.
  ///   - window: how many pictures to look back, 0 or more; 0 finds nothing.
  public init(threshold: Int, window: Int) {
    self.threshold = threshold
    self.window = window
  }

  /// The nearest of the last pictures that looks alike, the newest of those equally near.
  ///
  /// - Complexity: O(`window`).
  public func match(for hash: PerceptualHash) -> Match? {
    var best: Match?
    for look in looks.reversed() {
      let distance = look.hash.distance(to: hash)
      if distance <= threshold, distance < best?.distance ?? .max {
        best = Match(id: look.id, distance: distance)
      }
    }
    return best
  }

  /// Adds the newest picture; the oldest of a full window goes.
  public mutating func add(_ hash: PerceptualHash, id: String) {
    guard window > 0 else { return }
    if looks.count >= window { looks.removeFirst(looks.count - window + 1) }
    looks.append((id, hash))
  }
}
