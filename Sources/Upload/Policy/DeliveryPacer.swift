/// A pacer that spaces the starts of deliveries evenly, within a limit per minute.
///
/// The pacer is a token bucket with room for a single token, so no burst follows a quiet hour.
struct DeliveryPacer {
  private let spacing: Duration?
  private var next: Duration?

  /// Makes a pacer; `nil` for no limit.
  init(perMinute: Int?) {
    spacing = perMinute.map { .seconds(60) / $0 }
  }

  /// Returns the instant at which the next delivery may begin; `now` if it may begin at once.
  func ready(at now: Duration) -> Duration {
    max(now, next ?? now)
  }

  /// Notes that a delivery has begun.
  mutating func began(at now: Duration) {
    next = spacing.map { now + $0 }
  }
}
