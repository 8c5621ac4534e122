/// Spaces the beginnings of deliveries evenly, so that a minute never has more than it may.
///
/// A bucket with room for a single token: nothing is saved up, and a quiet hour is not followed by
/// a burst.
struct DeliveryPacer {
  private let spacing: Duration?
  private var next: Duration?

  /// Makes a pacer; `nil` for no limit.
  init(perMinute: Int?) {
    spacing = perMinute.map { .seconds(60) / $0 }
  }

  /// When the next delivery may begin; not after `now` when it may already.
  func ready(at now: Duration) -> Duration {
    max(now, next ?? now)
  }

  /// Notes that a delivery has begun.
  mutating func began(at now: Duration) {
    next = spacing.map { now + $0 }
  }
}
