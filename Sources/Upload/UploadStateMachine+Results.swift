extension UploadStateMachine {
  /// The time of failures on one item that counts as the item's failure in strict order.
  ///
  /// A target that fails on an item for a night more often has a fault of its own.
  static let strictBlockade = Duration.seconds(3600)
  /// The shortest pause asked for by the target that is kept across a restart of the service.
  static let shortestKeptPause = Duration.seconds(10)

  /// Notes that the target has taken an item, whose receipt is to be committed.
  mutating func delivered(_ id: String, _ receipt: Receipt, at now: Duration, random: Double) {
    guard let ended = running.removeValue(forKey: id) else {
      preconditionFailure("\"\(id)\" was delivered without having been begun")
    }
    let byteCount = ended.delivery.byteCount
    settlements.append(
      Settlement(id: id, result: .complete(receipt, byteCount: byteCount)))
    budget.succeeded(wasRetry: faults.forget(id))
    takenCount += 1
    parksInARow = 0
    refused = []
    blockade = nil
    lookAgain()
    if breaker.isCurrent(ended.generation) {
      closeBreaker(after: id, isProven: true, at: now, random: random)
    }
  }

  /// Notes that an item was not delivered, and decides its retry.
  mutating func failed(
    _ id: String, _ failure: DeliveryFailure, at now: Duration, random: Double
  ) -> Verdict {
    guard let ended = running.removeValue(forKey: id) else {
      preconditionFailure("\"\(id)\" has failed without having been begun")
    }
    lookAgain()
    if failure.code == .queueFailed {
      breaker.abandoned(id, at: now)
      settlements.append(Settlement(id: id, result: .release))
      return .retried(in: queueFailed(failure, at: now, random: random))
    }
    return switch failure.scope {
    case .item: failedItself(ended, failure, at: now, random: random)
    case .target: failedForTarget(ended, failure, at: now, random: random)
    }
  }

  /// Notes a delivery without a result, as the uploader is ending or a hold has ended it.
  mutating func cancelled(_ id: String, at now: Duration) {
    running[id] = nil
    breaker.abandoned(id, at: now)
    settlements.append(Settlement(id: id, result: .release))
    lookAgain()
  }

  private mutating func failedItself(
    _ ended: Running, _ failure: DeliveryFailure, at now: Duration, random: Double
  ) -> Verdict {
    let id = ended.delivery.id
    let attempts = ended.delivery.attempts + 1
    let isCurrent = breaker.isCurrent(ended.generation)
    if failure.isLocal {
      breaker.abandoned(id, at: now)
    } else {
      refused.insert(id)
      if refused.count >= Self.refusalsUntilTargetFault {
        let general = DeliveryFailure(
          failure.code, scope: .target,
          text: "the target refuses every item, the last one because \(failure.text)",
          status: failure.status, retryAfter: failure.retryAfter)
        if isCurrent { openBreaker(general, suspect: nil, at: now, random: random) }
      } else if isCurrent {
        // An answer about an item shows that the target works.
        closeBreaker(after: id, isProven: false, at: now, random: random)
      }
    }
    if isToBeParked(ended.delivery) {
      faults.forget(id)
      parksInARow += 1
      settlements.append(Settlement(id: id, result: .park(failure, attempts: attempts)))
      return .parked
    }
    let failures = (faults[id]?.failures ?? ended.delivery.itemFailures) + 1
    let wait = pause(id, failure, failures: failures, at: now, random: random)
    settlements.append(Settlement(id: id, result: .failed(failure, attempts: attempts)))
    return .retried(in: wait)
  }

  private func isToBeParked(_ delivery: PendingDelivery) -> Bool {
    guard delivery.itemFailures + 1 >= policy.itemFailuresUntilParked,
      parksInARow < Self.parksWithoutDelivery
    else { return false }
    return policy.order == .strict || takenCount > (faults[delivery.id]?.takenBefore ?? 0)
  }

  private mutating func failedForTarget(
    _ ended: Running, _ failure: DeliveryFailure, at now: Duration, random: Double
  ) -> Verdict {
    let id = ended.delivery.id
    let blame = blame(ended.delivery, failure, at: now)
    if breaker.isCurrent(ended.generation) {
      let isSuspect = failure.mayComeFromItem && policy.order == .oldestFirst && blame != .parks
      openBreaker(failure, suspect: isSuspect ? id : nil, at: now, random: random)
    } else if let asked = failure.retryAfter, asked > .zero {
      let wait = policy.retry.wait(afterFailures: 1, failure, random: random)
      breaker.extend(failure, at: now, wait: wait)
      if wait >= Self.shortestKeptPause { note(pause: true) }
    }
    let attempts = ended.delivery.attempts + 1
    switch blame {
    case .parks:
      faults.forget(id)
      blockade = nil
      parksInARow += 1
      settlements.append(
        Settlement(id: id, result: .park(failure.itemsOwn, attempts: attempts)))
      return .parked
    case .counts:
      settlements.append(
        Settlement(id: id, result: .failed(failure.itemsOwn, attempts: attempts)))
    case .none where [.unauthorized, .shortOfResources, .cancelled].contains(failure.code):
      settlements.append(Settlement(id: id, result: .release))
    case .none:
      settlements.append(Settlement(id: id, result: .failed(failure, attempts: attempts)))
    }
    guard case .open(let end) = breaker.state else { return .retried(in: .zero) }
    return .retried(in: max(.zero, end - now))
  }

  /// The blame that a fault of the target lays on the item of the delivery.
  private enum Blame { case none, counts, parks }

  /// Judges the item whose delivery met a fault of the target.
  ///
  /// The fault counts if the item was convicted before, as the target took another item. In strict
  /// order no other item can be taken. There each ``strictBlockade`` counts in which the target
  /// fails on the same item.
  private mutating func blame(
    _ delivery: PendingDelivery, _ failure: DeliveryFailure, at now: Duration
  ) -> Blame {
    guard failure.countsAgainstItem else { return .none }
    let isCounted: Bool
    switch policy.order {
    case .oldestFirst:
      isCounted = faults.takeConviction(delivery.id, at: now)
    case .strict:
      // Other codes concern the configuration, which a person must change anyway.
      guard failure.code == .serverError else { return .none }
      guard let blockade, blockade.id == delivery.id else {
        blockade = Blockade(id: delivery.id, start: now)
        return .none
      }
      isCounted = now - blockade.start >= Self.strictBlockade
      if isCounted { self.blockade?.start = now }
    }
    guard isCounted else { return .none }
    let isEnough =
      delivery.itemFailures + 1 >= policy.itemFailuresUntilParked
      && parksInARow < Self.parksWithoutDelivery
    return isEnough ? .parks : .counts
  }

  private mutating func openBreaker(
    _ failure: DeliveryFailure, suspect: String?, at now: Duration, random: Double
  ) {
    let wait = policy.retry.wait(
      afterFailures: breaker.failures + 1, failure, random: random)
    breaker.open(failure, at: now, wait: wait, suspect: suspect)
    note(pause: failure.retryAfter ?? .zero > .zero && wait >= Self.shortestKeptPause)
  }

  /// Closes the breaker as the target works; the suspects were at fault.
  ///
  /// - Parameter isProven: whether the target has taken an item, and not only answered.
  private mutating func closeBreaker(
    after id: String, isProven: Bool, at now: Duration, random: Double
  ) {
    let suspects = breaker.close(at: now)
    if breaker.state == .closed { note(pause: false) }
    for suspect in suspects where suspect.id != id && running[suspect.id] == nil {
      // The pause of the target is over, so the item waits for its own failures only.
      let failure = suspect.failure.itemsOwn
      let failures = (faults[suspect.id]?.failures ?? 0) + 1
      _ = pause(suspect.id, failure, failures: failures, at: now, random: random)
      if isProven, suspect.failure.countsAgainstItem { faults.convict(suspect.id) }
    }
  }

  private mutating func pause(
    _ id: String, _ failure: DeliveryFailure, failures: Int, at now: Duration, random: Double
  ) -> Duration {
    let wait = policy.retry.wait(afterFailures: failures, failure, random: random)
    faults.set(
      id,
      ItemFaults.Fault(
        end: now + wait, failures: failures, failure: failure, takenBefore: takenCount,
        isConvicted: faults[id]?.isConvicted ?? false, countedAt: faults[id]?.countedAt))
    return wait
  }
}
