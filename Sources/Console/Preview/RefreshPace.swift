public import Devices

/// How often a picture is drawn again: as often as is wanted, and never more than the line can carry.
public struct RefreshPace: Sendable, Hashable {
  /// The least time from one picture to the next.
  public var interval: Duration
  /// The line's speed in bits a second; `nil` for one that carries everything.
  public var lineSpeed: Int?

  /// Makes a pace.
  public init(interval: Duration, lineSpeed: Int?) {
    self.interval = interval
    self.lineSpeed = lineSpeed
  }

  /// How long the line takes to send so many bytes; zero for one that carries everything.
  public func transmission(of byteCount: Int) -> Duration {
    guard let lineSpeed, lineSpeed > 0 else { return .zero }
    return .seconds(Double(byteCount * LineSpeed.bitsPerByte) / Double(lineSpeed))
  }

  /// When the next picture may be begun; a fifth of the line stays free.
  ///
  /// - Parameters:
  ///   - begin: when the last one was begun.
  ///   - byteCount: how long it was.
  public func next(after begin: MonotonicInstant, byteCount: Int) -> MonotonicInstant {
    begin.advanced(by: max(interval, transmission(of: byteCount) * 5 / 4))
  }

  /// How many bytes the line carries within a time, at most so many.
  public func capacity(within time: Duration, atMost limit: Int) -> Int {
    guard let lineSpeed, lineSpeed > 0 else { return limit }
    let seconds = time / .seconds(1)
    return min(limit, Int(Double(lineSpeed) * seconds / Double(LineSpeed.bitsPerByte)))
  }
}
