/// A watch that detects a stalled or overlong exchange.
struct ProgressWatch {
  /// The next step.
  enum Verdict: Equatable {
    /// The caller checks again after this time, or as soon as bytes have moved.
    case wait(Duration)
    /// The exchange has made no progress for too long.
    case stalled
    /// The whole exchange has taken too long.
    case tooLong
  }

  private let end: ContinuousClock.Instant?
  private let firstByteEnd: ContinuousClock.Instant?
  private let stallTimeout: Duration
  private var lastMove: ContinuousClock.Instant
  private var lastCount: Int64 = 0

  /// Makes a watch that begins now.
  ///
  /// - Parameter firstByteTimeout: the time until a byte of content has to move; `nil` sets no
  ///   limit.
  init(
    start: ContinuousClock.Instant, stallTimeout: Duration, totalTimeout: Duration?,
    firstByteTimeout: Duration? = nil
  ) {
    end = totalTimeout.map { start + $0 }
    firstByteEnd = firstByteTimeout.map { start + $0 }
    self.stallTimeout = stallTimeout
    lastMove = start
  }

  /// Judges the exchange.
  ///
  /// - Parameter bytesMoved: the bytes so far, 0 while connecting, when libcurl's own timeout
  ///   applies.
  mutating func check(at now: ContinuousClock.Instant, bytesMoved: Int64) -> Verdict {
    if bytesMoved != lastCount || bytesMoved == 0 {
      lastCount = bytesMoved
      lastMove = now
    }
    let stallEnd = (bytesMoved == 0 ? firstByteEnd : nil) ?? lastMove + stallTimeout
    if let end, now >= end { return .tooLong }
    if now >= stallEnd { return .stalled }
    return .wait(now.duration(to: end.map { min($0, stallEnd) } ?? stallEnd))
  }
}

extension Duration {
  /// The whole milliseconds, rounded down and limited to the range of a C `int`.
  var milliseconds: Int {
    let (seconds, attoseconds) = components
    guard seconds < 2_000_000 else { return 2_000_000_000 }
    return Int(seconds) * 1000 + Int(attoseconds / 1_000_000_000_000_000)
  }
}
