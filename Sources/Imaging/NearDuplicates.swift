/// The hashes of the last pictures, to which a new picture is compared.
package struct NearDuplicates: Sendable {
  /// The limits for pictures that look alike.
  package struct Configuration: Sendable, Hashable {
    /// The maximum number of bits in which look-alikes differ, 0...64.
    package var threshold = 6
    /// The number of pictures to look back, 0 or more; 0 finds nothing.
    package var window = 32

    package init() {}

    package init(threshold: Int, window: Int) {
      self.threshold = threshold
      self.window = window
    }
  }

  /// An earlier picture that looks alike.
  package struct Match: Sendable, Hashable {
    /// The earlier picture's ID.
    package var id: String
    /// The number of bits in which the two hashes differ, 0...64.
    package var distance: Int
  }

  private let configuration: Configuration
  private var looks: [(id: String, hash: PerceptualHash)] = []

  package init(_ configuration: Configuration) {
    self.configuration = configuration
  }

  /// Returns the nearest look-alike among the last pictures, the newest of equally near ones.
  ///
  /// - Complexity: O(``Configuration/window``).
  package func match(for hash: PerceptualHash) -> Match? {
    var best: Match?
    for look in looks.reversed() {
      let distance = look.hash.distance(to: hash)
      if distance <= configuration.threshold, distance < best?.distance ?? .max {
        best = Match(id: look.id, distance: distance)
      }
    }
    return best
  }

  /// Adds the newest picture, and removes the oldest one from a full window.
  package mutating func add(_ hash: PerceptualHash, id: String) {
    let window = configuration.window
    guard window > 0 else { return }
    if looks.count >= window { looks.removeFirst(looks.count - window + 1) }
    looks.append((id, hash))
  }
}
