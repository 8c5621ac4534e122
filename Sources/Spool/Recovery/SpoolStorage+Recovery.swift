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
    do throws(SpoolError) {
      try withBallast { () throws(SpoolError) in try recovery.advance() }
    } catch {
      // Changes that were committed before the error are told all the same.
      _ = tell(&recovery)
      throw error
    }
    if tell(&recovery) { try assignUnassigned() }
    guard recovery.position == .end else { return nil }
    try recovery.conclude(lastPress: lastEarlierPress)
    return recovery.report
  }

  /// Tells what has changed in the queue, and ends claims of what has left it.
  ///
  /// - Returns: whether anything waits that did not.
  private func tell(_ recovery: inout Recovery) -> Bool {
    let happened = recovery.events
    recovery.events = []
    events += happened
    var isWaiting = false
    for event in happened {
      switch event {
      case .quarantined(let id, _):
        for target in claims.keys { release(id, target: target) }
      case .waiting: isWaiting = true
      default: break
      }
    }
    return isWaiting
  }
}
