/// How the contacts of a simulated button bounce when they close or open.
public struct ContactBounce: Sendable, Hashable {
  /// How many times the contact parts again; each gives two edges more.
  public var count: Int
  /// How long it takes from the first edge to the last.
  public var duration: Duration

  /// Makes a bounce.
  ///
  /// - Parameters:
  ///   - count: how many times the contact parts again, 0 or more.
  ///   - duration: from the first edge to the last, at least a microsecond for each edge.
  public init(count: Int, duration: Duration) {
    self.count = max(0, count)
    self.duration = max(duration, .microseconds(2 * self.count))
  }

  /// A contact without bounce.
  public static let none = ContactBounce(count: 0, duration: .zero)
  /// What a common tactile switch does: four bounces in 5 ms.
  public static let typical = ContactBounce(count: 4, duration: .milliseconds(5))
}
