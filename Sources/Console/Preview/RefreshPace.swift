package import Devices

/// A pace of redrawing: the wanted interval, limited by the line's capacity.
package struct RefreshPace: Sendable, Hashable {
  /// The least time from one picture to the next.
  package var interval: Duration
  /// The line's speed in bits a second; `nil` without a limit.
  package var lineSpeed: Int?

  package init(interval: Duration, lineSpeed: Int?) {
    self.interval = interval
    self.lineSpeed = lineSpeed
  }

  /// Returns the time that the line takes for a number of bytes; zero without a speed limit.
  package func transmission(of byteCount: Int) -> Duration {
    guard let lineSpeed, lineSpeed > 0 else { return .zero }
    return .seconds(Double(byteCount * LineSpeed.bitsPerByte) / Double(lineSpeed))
  }

  /// Returns the start of the next picture, which leaves a fifth of the line free.
  ///
  /// - Parameters:
  ///   - begin: the start of the last picture.
  ///   - byteCount: the size of the last picture.
  package func next(after begin: MonotonicInstant, byteCount: Int) -> MonotonicInstant {
    begin.advanced(by: max(interval, transmission(of: byteCount) * 5 / 4))
  }

  /// Returns the number of bytes that the line carries within a time, up to a limit.
  package func capacity(within time: Duration, atMost limit: Int) -> Int {
    guard let lineSpeed, lineSpeed > 0 else { return limit }
    let seconds = time / .seconds(1)
    return min(limit, Int(Double(lineSpeed) * seconds / Double(LineSpeed.bitsPerByte)))
  }
}
