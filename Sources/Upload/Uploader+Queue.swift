import Logging

/// The uploader's messages to its queue and to the log.
extension Uploader {
  /// Continues a pause that an earlier run of the service has left.
  func resumePause() async {
    do {
      guard let pause = try await queue.keptPause() else { return }
      machine.resume(pause, at: time.now())
      logger.info(
        "the target wants to be left alone since before the restart",
        metadata: [
          "target": "\(target.description)", "failure": "\(pause.failure)",
          "next.attempt.in": "\(pause.remaining)",
        ])
    } catch {
      logger.warning(
        "the target's pause cannot be read, going on without it",
        metadata: ["target": "\(target.description)", "failure": "\(error)"])
    }
  }

  /// Commits an item's result.
  func settle(_ settlement: UploadStateMachine.Settlement) async {
    do {
      switch settlement.result {
      case .complete(let receipt, let byteCount):
        try await queue.complete(settlement.id, receipt: receipt)
        machine.settled()
        logger.debug(
          "delivered",
          metadata: [
            "item.id": "\(settlement.id)", "url": "\(receipt.url)",
            "duplicate": "\(receipt.isDuplicate)",
          ])
        board.completed(settlement.id, receipt, byteCount: byteCount)
      case .failed(let failure, let attempts):
        let stays = try await queue.failed(settlement.id, error: failure, attempts: attempts)
        machine.settled()
        if !stays { reportEnd(of: settlement.id, failure, attempts: attempts) }
      case .park(let failure, let attempts):
        let isParked = try await queue.park(settlement.id, error: failure, attempts: attempts)
        machine.settled()
        guard isParked else {
          reportEnd(of: settlement.id, failure, attempts: attempts)
          return board.left(settlement.id, failure, attempts: attempts)
        }
        logger.error(
          "delivery failed too often, the item is parked",
          metadata: metadata(of: failure, settlement.id, attempts: attempts))
        board.parked(settlement.id, failure, attempts: attempts)
      case .release:
        await queue.release(settlement.id)
        machine.settled()
      }
    } catch {
      queueFailed(error, doing: "commit how \"\(settlement.id)\" has ended")
    }
  }

  /// Logs that an item has left the queue after a failure, if the failure is the reason.
  private func reportEnd(of id: String, _ failure: DeliveryFailure, attempts: Int) {
    guard failure.code == .fileUnreadable else { return }
    logger.error(
      "the item's file is damaged or missing, the item has left the queue",
      metadata: metadata(of: failure, id, attempts: attempts))
  }

  /// Commits the remaining results at the uploader's end; a later run repeats failed ones.
  func settleAll() async {
    var attempts = machine.settlements.count
    while attempts > 0, let settlement = machine.settlements.first {
      await settle(settlement)
      attempts -= 1
    }
  }

  /// Commits the pause that the target asked for.
  func keep(_ pause: TargetPause?) async {
    do {
      try await queue.keep(pause)
    } catch {
      logger.warning(
        "the target's pause cannot be kept, a restart would end it",
        metadata: ["target": "\(target.description)", "failure": "\(error)"])
    }
  }

  /// Counts and logs a failed attempt; a parked item is logged when that is committed.
  func report(
    _ failure: DeliveryFailure, of delivery: PendingDelivery, _ verdict: UploadStateMachine.Verdict
  ) {
    let attempts = delivery.attempts + 1
    board.failed(delivery.id, failure, attempts: attempts, verdict)
    guard case .retried(let wait) = verdict,
      let unwritten = failureLog.admit(failure, at: time.now())
    else { return }
    var metadata = metadata(of: failure, delivery.id, attempts: attempts)
    metadata["next.attempt.in"] = "\(wait)"
    if unwritten > 0 { metadata["failures.unwritten"] = "\(unwritten)" }
    logger.warning("delivery failed, trying again", metadata: metadata)
  }

  private func metadata(
    of failure: DeliveryFailure, _ id: String, attempts: Int
  ) -> Logger.Metadata {
    [
      "item.id": "\(id)", "target": "\(target.description)",
      "failure.code": "\(failure.code.rawValue)", "failure.scope": "\(failure.scope.rawValue)",
      "failure": "\(failure)", "attempts": "\(attempts)",
    ]
  }

  /// Notes a failure of the queue, so that a wait precedes the next request to the queue.
  func queueFailed(_ error: any Error, doing what: String) {
    guard !Task.isCancelled else { return }
    let failure = DeliveryFailure(
      .queueFailed, scope: .target, text: "the queue could not \(what): \(error)")
    let wait = machine.queueFailed(failure, at: time.now(), random: random())
    logger.error(
      "queue failed, trying again",
      metadata: [
        "target": "\(target.description)", "failure": "\(failure)", "next.attempt.in": "\(wait)",
      ])
  }
}
