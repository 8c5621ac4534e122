/// The bounce of a simulated button's contacts when they close or open.
package struct ContactBounce: Sendable, Hashable {
  /// The number of times that the contact parts again; each adds two edges.
  package var count: Int
  /// The time from the first edge to the last.
  package var duration: Duration

  /// Makes a bounce.
  ///
  /// - Parameters:
  ///   - count: the number of times that the contact parts again, 0 or more.
  ///   - duration: the time from the first edge to the last, at least a microsecond for each edge.
  package init(count: Int, duration: Duration) {
    self.count = max(0, count)
    self.duration = max(duration, .microseconds(2 * self.count))
  }

  /// A contact without bounce.
  package static let none = ContactBounce(count: 0, duration: .zero)
  /// The bounce of a common tactile switch: four bounces in 5 ms.
  package static let typical = ContactBounce(count: 4, duration: .milliseconds(5))
}
