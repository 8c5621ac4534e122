/// A meter of the motion in a scene, from glances a few times a second.
///
/// A tile of the picture that changes again and again is restless, for example by a lamp that blinks
/// or a screen beside the page. A restless tile counts as motion again when it has been still for
/// some time. A hand and a page move many tiles at once, which makes none of them restless.
package struct MotionMeter: Sendable {
  /// The weight of a glance in the share of the glances in which a tile has changed.
  private static let weight = 1.0 / 64
  /// The share of the glances from which a tile is restless.
  private static let restlessFrom = 0.1
  /// The share of the picture above which a change is of a hand or of a page.
  private static let largeFrom = 0.05

  /// The last glance; `nil` before the first one and after a loss of sight.
  package private(set) var latest: GrayPicture?
  /// The share of the glances in which each tile has changed, 0...1.
  private var shares: [Double] = []

  /// Makes a meter that has seen nothing.
  package init() {}

  /// Takes a glance.
  ///
  /// - Returns: the share of the picture that has changed since the last glance, without restless
  ///   tiles, 0...1; 0 for the first glance, 1 for a glance of another size.
  package mutating func observe(_ picture: GrayPicture) -> Double {
    defer { latest = picture }
    guard let latest else { return 0 }
    guard picture.size == latest.size else {
      shares = []
      return 1
    }
    let changes = picture.changes(since: latest)
    if shares.count != changes.count { shares = Array(repeating: 0, count: changes.count) }
    let count = changes.count { $0 }
    let unexpected = zip(changes, shares).count { $0 && $1 < Self.restlessFrom }
    if Double(count) < Self.largeFrom * Double(changes.count) {
      shares = zip(shares, changes).map { $0 + Self.weight * (($1 ? 1 : 0) - $0) }
    }
    return Double(unexpected) / Double(changes.count)
  }

  /// Notes that the scene cannot be seen, so that the next glance is a first one.
  package mutating func loseSight() { latest = nil }
}
