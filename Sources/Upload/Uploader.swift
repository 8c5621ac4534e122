public import Logging

/// Delivers the items of a queue to one target, one at a time, for as long as it runs.
///
/// It gives up nothing: an attempt that fails is followed by another, after a wait that
/// ``RetryPolicy`` chooses. Several targets have an uploader each.
public actor Uploader {
  private let queue: any DeliveryQueue
  private let target: any UploadTarget
  private let time: UploadTime
  private let random: @Sendable () -> Double
  private let logger: Logger
  private let board: UploadBoard
  private var machine: UploadStateMachine
  private var nap: Task<Void, Never>?
  private var napEndsOnArrival = false
  private var hasArrival = false

  /// Makes an uploader; it does nothing before ``run()``.
  ///
  /// - Parameters:
  ///   - queue: the items.
  ///   - target: where they go.
  ///   - policy: how long to wait after failures.
  ///   - time: the clocks.
  ///   - random: draws a number from 0 to 1 for each wait.
  ///   - logger: gets one line for each attempt that fails and, at debug, for each delivery.
  public init(
    queue: any DeliveryQueue, target: any UploadTarget, policy: RetryPolicy = RetryPolicy(),
    time: UploadTime = .system,
    random: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) }, logger: Logger
  ) {
    self.queue = queue
    self.target = target
    self.time = time
    self.random = random
    self.logger = logger
    board = UploadBoard(now: time.now)
    machine = UploadStateMachine(policy: policy)
  }

  /// What the uploader does at the moment.
  public nonisolated var status: UploadStatus { board.status }

  /// Returns a stream of what happens from now on; it ends with ``run()``.
  ///
  /// A reader that is more than 256 events behind loses the oldest;
  /// ``UploadStatus/droppedEventCount`` counts them.
  public nonisolated func events() -> AsyncStream<DeliveryEvent> { board.events() }

  /// Delivers until the task is cancelled, which also ends a running transfer at once.
  ///
  /// What is not delivered then stays in the queue, and no attempt is counted for it.
  public func run() async {
    let arrivals = queue.arrivals()
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        for await _ in arrivals { await self.noteArrival() }
      }
      await self.deliverAll()
      group.cancelAll()
    }
    board.finish()
  }

  /// Ends all waits, for when somebody knows that it is worth trying now.
  public func retryNow() {
    machine.retryNow()
    hasArrival = true
    nap?.cancel()
  }

  private func deliverAll() async {
    var action = machine.begin(at: time.now())
    while !Task.isCancelled {
      switch action {
      case .fetch(let excluded): action = await fetch(excluding: excluded)
      case .commit(let id, let receipt): action = await commit(id, receipt)
      case .deliver(let delivery): action = await deliver(delivery)
      case .wait(let end, let orArrival):
        showWait()
        await wait(until: end, orArrival: orArrival)
        action = machine.begin(at: time.now())
      }
    }
  }

  private func fetch(excluding excluded: Set<String>) async -> UploadStateMachine.Action {
    // What arrives from here on may be missing from the answer.
    hasArrival = false
    do {
      return machine.fetched(try await queue.next(excluding: excluded))
    } catch {
      return queueFailed(error, doing: "name the next item")
    }
  }

  private func deliver(_ delivery: PendingDelivery) async -> UploadStateMachine.Action {
    board.show(.delivering(id: delivery.id))
    board.post(
      .began(
        id: delivery.id, remoteName: delivery.remoteName, attempt: delivery.attempts + 1))
    do {
      let receipt = try await target.deliver(
        delivery, journal: QueueJournal(queue: queue, id: delivery.id))
      return machine.delivered(delivery.id, receipt, at: time.now(), random: random())
    } catch {
      guard !Task.isCancelled else { return machine.begin(at: time.now()) }
      return await fail(delivery, error)
    }
  }

  private func fail(
    _ delivery: PendingDelivery, _ failure: DeliveryFailure
  ) async -> UploadStateMachine.Action {
    let attempts = delivery.attempts + 1
    let wait = machine.failed(delivery.id, failure, at: time.now(), random: random())
    logger.warning(
      "delivery failed, trying again",
      metadata: [
        "item.id": "\(delivery.id)", "target": "\(target.description)",
        "failure.code": "\(failure.code.rawValue)", "failure.scope": "\(failure.scope.rawValue)",
        "failure": "\(failure)", "attempts": "\(attempts)", "next.attempt.in": "\(wait)",
      ])
    board.post(
      .failed(id: delivery.id, failure: failure, attempts: attempts, nextAttemptIn: wait))
    do {
      try await queue.failed(delivery.id, error: failure, attempts: attempts)
    } catch {
      return queueFailed(error, doing: "record a failed attempt")
    }
    return machine.begin(at: time.now())
  }

  private func commit(_ id: String, _ receipt: Receipt) async -> UploadStateMachine.Action {
    do {
      try await queue.complete(id, receipt: receipt)
    } catch {
      return queueFailed(error, doing: "commit a receipt")
    }
    machine.committed(id)
    logger.debug(
      "delivered",
      metadata: [
        "item.id": "\(id)", "url": "\(receipt.url)", "duplicate": "\(receipt.isDuplicate)",
      ])
    board.post(.completed(id: id, receipt: receipt))
    return machine.begin(at: time.now())
  }

  private func queueFailed(
    _ error: any Error, doing what: String
  ) -> UploadStateMachine.Action {
    guard !Task.isCancelled else { return machine.begin(at: time.now()) }
    let text = "the queue could not \(what): \(error)"
    let wait = machine.queueFailed(text, at: time.now(), random: random())
    logger.error(
      "queue failed, trying again", metadata: ["failure": "\(text)", "next.attempt.in": "\(wait)"])
    return machine.begin(at: time.now())
  }
}

extension Uploader {
  private func showWait() {
    let now = time.now()
    if let (end, failure) = machine.pause(at: now) ?? machine.nextItemPause(at: now) {
      board.showWait(until: end, for: failure)
    } else {
      board.show(.idle)
    }
  }

  private func wait(until end: Duration?, orArrival: Bool) async {
    if orArrival && hasArrival { return }
    // Nobody is waited for longer than a day without a look at the queue.
    let duration = end.map { $0 - time.now() } ?? .seconds(86_400)
    guard duration > .zero else { return }
    let nap = Task<Void, Never> { [time] in
      // The end of the nap is all that matters, whether it was slept through or cancelled.
      _ = try? await time.sleep(duration)
    }
    self.nap = nap
    napEndsOnArrival = orArrival
    await withTaskCancellationHandler {
      await nap.value
    } onCancel: {
      nap.cancel()
    }
    self.nap = nil
  }

  private func noteArrival() {
    hasArrival = true
    if napEndsOnArrival { nap?.cancel() }
  }
}

/// Passes what a delivery keeps on to the queue.
private struct QueueJournal: DeliveryJournal {
  let queue: any DeliveryQueue
  let id: String

  func keep(_ state: ResumeState?) async throws(DeliveryFailure) {
    do {
      try await queue.keep(state, of: id)
    } catch {
      throw DeliveryFailure(
        .queueFailed, scope: .target, text: "the queue could not keep: \(error)")
    }
  }

  func note(_ progress: DeliveryProgress) {}
}
