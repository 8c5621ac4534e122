/// Decides when an exchange has stood still or taken too long.
struct ProgressWatch {
  /// What to do next.
  enum Verdict: Equatable {
    /// Look again after this time at the latest, or when something has moved.
    case wait(Duration)
    /// Nothing has moved for too long.
    case stalled
    /// The whole has taken too long.
    case tooLong
  }

  private let end: ContinuousClock.Instant?
  private let stallTimeout: Duration
  private var lastMove: ContinuousClock.Instant
  private var lastCount: Int64 = 0

  init(start: ContinuousClock.Instant, stallTimeout: Duration, totalTimeout: Duration?) {
    end = totalTimeout.map { start + $0 }
    self.stallTimeout = stallTimeout
    lastMove = start
  }

  /// Judges the exchange.
  ///
  /// - Parameter bytesMoved: the bytes so far, 0 while it connects: there the limit is libcurl's.
  mutating func check(at now: ContinuousClock.Instant, bytesMoved: Int64) -> Verdict {
    if bytesMoved != lastCount || bytesMoved == 0 {
      lastCount = bytesMoved
      lastMove = now
    }
    let stallEnd = lastMove + stallTimeout
    if let end, now >= end { return .tooLong }
    if now >= stallEnd { return .stalled }
    return .wait(now.duration(to: end.map { min($0, stallEnd) } ?? stallEnd))
  }
}

extension Duration {
  /// Whole milliseconds, rounded down, kept within what a C `int` holds.
  var milliseconds: Int {
    let (seconds, attoseconds) = components
    guard seconds < 2_000_000 else { return 2_000_000_000 }
    return Int(seconds) * 1000 + Int(attoseconds / 1_000_000_000_000_000)
  }
}
