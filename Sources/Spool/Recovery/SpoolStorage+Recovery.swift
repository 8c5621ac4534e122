extension SpoolStorage {
  /// Runs the next slice of the recovery's rest.
  ///
  /// - Returns: the complete report at the end of the recovery; `nil` before.
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
      // Changes that were committed before the error are published too.
      if tell(&recovery) { try findProxies() }
      throw error
    }
    if tell(&recovery) {
      try assignUnassigned()
      try findProxies()
    }
    guard recovery.position == .end else { return nil }
    recovery.recordedPresses = recordedPresses
    try recovery.conclude(lastPress: lastEarlierPress)
    return recovery.report
  }

  /// Queues the events of the recovery, and ends claims of quarantined items.
  ///
  /// - Returns: whether an item waits that did not wait before.
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
