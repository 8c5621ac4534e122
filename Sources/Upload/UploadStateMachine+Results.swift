extension UploadStateMachine {
  /// The shortest wait at the target's wish that is kept over a restart of the service.
  static let shortestKeptPause = Duration.seconds(10)

  /// The target has taken an item; its receipt is to be committed.
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
    lookAgain()
    if breaker.isCurrent(ended.generation) { closeBreaker(after: id, at: now, random: random) }
  }

  /// An item was not delivered.
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

  /// A delivery has ended without a result, since the uploader is ending.
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
        // An answer about an item is a sign of life.
        closeBreaker(after: id, at: now, random: random)
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
    if breaker.isCurrent(ended.generation) {
      let suspect = failure.mayComeFromItem && policy.order == .oldestFirst ? id : nil
      openBreaker(failure, suspect: suspect, at: now, random: random)
    } else if let asked = failure.retryAfter, asked > .zero {
      let wait = policy.retry.wait(afterFailures: 1, failure, random: random)
      breaker.extend(failure, at: now, wait: wait)
      if wait >= Self.shortestKeptPause { note(pause: true) }
    }
    let result: Settlement.Result =
      failure.code == .unauthorized || failure.code == .cancelled
      ? .release : .failed(failure, attempts: ended.delivery.attempts + 1)
    settlements.append(Settlement(id: id, result: result))
    guard case .open(let end) = breaker.state else { return .retried(in: .zero) }
    return .retried(in: max(.zero, end - now))
  }

  private mutating func openBreaker(
    _ failure: DeliveryFailure, suspect: String?, at now: Duration, random: Double
  ) {
    let wait = policy.retry.wait(
      afterFailures: breaker.failures + 1, failure, random: random)
    breaker.open(failure, at: now, wait: wait, suspect: suspect)
    note(pause: failure.retryAfter ?? .zero > .zero && wait >= Self.shortestKeptPause)
  }

  /// The target works: what came with its faults was the suspects' fault after all.
  private mutating func closeBreaker(after id: String, at now: Duration, random: Double) {
    let verdict = breaker.close(at: now)
    if breaker.state == .closed { note(pause: false) }
    guard let verdict else { return }
    for suspect in verdict.convicted where suspect != id && running[suspect] == nil {
      let failures = (faults[suspect]?.failures ?? 0) + 1
      _ = pause(suspect, verdict.failure, failures: failures, at: now, random: random)
    }
  }

  private mutating func pause(
    _ id: String, _ failure: DeliveryFailure, failures: Int, at now: Duration, random: Double
  ) -> Duration {
    let wait = policy.retry.wait(afterFailures: failures, failure, random: random)
    faults.set(
      id,
      ItemFaults.Fault(
        end: now + wait, failures: failures, failure: failure, takenBefore: takenCount))
    return wait
  }
}
