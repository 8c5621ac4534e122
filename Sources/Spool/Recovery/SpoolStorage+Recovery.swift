extension SpoolStorage {
  /// Does the next slice of what the start has left for later.
  ///
  /// - Returns: what was found and put in order in all, once that is done; `nil` before.
  func recoverSlice() throws(SpoolError) -> RecoveryReport? {
    guard var recovery = rest.take() else { return self.recovery }
    defer {
      leftBehind += recovery.leftBehind
      recovery.leftBehind = []
      rest = recovery.position == .end ? nil : recovery
    }
    try withBallast { () throws(SpoolError) in try recovery.advance() }
    for case .quarantined(let id, _) in recovery.events {
      for target in claims.keys { release(id, target: target) }
    }
    events += recovery.events
    if recovery.events.contains(where: \.isWaiting) { try assignUnassigned() }
    recovery.events = []
    guard recovery.position == .end else { return nil }
    try recovery.conclude(lastPress: lastEarlierPress)
    return recovery.report
  }
}

extension SpoolEvent {
  fileprivate var isWaiting: Bool { if case .waiting = self { true } else { false } }
}
