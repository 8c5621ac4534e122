public import Logging

/// Delivers the items of a queue to one target for as long as it runs.
///
/// It gives up nothing: an attempt that fails is followed by another, after a wait that
/// ``UploadPolicy`` chooses, and an item that fails too often is parked, not dropped. Several
/// targets have an uploader each, and know nothing of one another.
public actor Uploader {
  let queue: any DeliveryQueue
  let target: any UploadTarget
  let time: UploadTime
  let random: @Sendable () -> Double
  let logger: Logger
  let board: UploadBoard
  var machine: UploadStateMachine
  var failureLog = FailureLog()
  private let bandwidth: BandwidthShare?
  private var nap: Task<Void, Never>?
  /// For each delivery that runs: what ends it when it is finished, and nothing else.
  private var ends: [String: AsyncStream<Void>.Continuation] = [:]

  /// A delivery that is to be carried out, until that stream ends at the latest.
  private struct Begun: Sendable {
    var delivery: PendingDelivery
    var untilEnded: AsyncStream<Void>
  }

  /// Makes an uploader; it does nothing before ``run()``.
  ///
  /// - Parameters:
  ///   - queue: the items.
  ///   - target: where they go.
  ///   - policy: what is begun, when, and how often.
  ///   - bandwidth: is told how many deliveries run; the target's requests ask it for their share.
  ///   - time: the clocks.
  ///   - random: draws a number from 0 to 1 for each wait.
  ///   - logger: gets a line for an attempt that fails (while the target stays down, one for each
  ///     reason and minute) and, at debug, for each delivery.
  public init(
    queue: any DeliveryQueue, target: any UploadTarget, policy: UploadPolicy = UploadPolicy(),
    bandwidth: BandwidthShare? = nil, time: UploadTime = .system,
    random: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) }, logger: Logger
  ) {
    self.queue = queue
    self.target = target
    self.bandwidth = bandwidth
    self.time = time
    self.random = random
    self.logger = logger
    board = UploadBoard(now: time.now)
    machine = UploadStateMachine(policy: policy, startDelay: policy.startJitter * random())
  }

  /// What the uploader does at the moment.
  public nonisolated var status: UploadStatus { board.status }

  /// Returns a stream of what happens from now on; it ends with ``run()``.
  ///
  /// A reader that is more than 256 events behind loses the oldest;
  /// ``UploadStatus/Counters/droppedEvents`` counts them.
  public nonisolated func events() -> AsyncStream<DeliveryEvent> { board.events() }

  /// Delivers until the task is cancelled, which also ends running transfers at once.
  ///
  /// What is not delivered then stays in the queue, and no attempt is counted for it; receipts that
  /// have come are still committed.
  public func run() async {
    let arrivals = queue.arrivals()
    board.start()
    await resumePause()
    await withDiscardingTaskGroup { group in
      group.addTask {
        for await _ in arrivals { await self.noteArrival() }
      }
      while !Task.isCancelled {
        guard let begun = await self.step() else { continue }
        group.addTask { await self.carryOut(begun) }
      }
      group.cancelAll()
    }
    await settleAll()
    board.finish()
  }

  /// Sets the reasons from outside not to begin deliveries, in place of those before.
  ///
  /// What runs is ended by ``UploadHold/thermalCritical`` only: it goes back to the queue, no
  /// attempt is counted for it, and a receipt that has come is committed all the same. The upload
  /// window needs no hold from outside.
  public func setHolds(_ holds: Set<UploadHold>) {
    machine.setHolds(holds)
    if holds.contains(where: \.endsDeliveries) { endDeliveries() }
    // At once: who asks may not have to wait for what the loop waits for.
    board.show(machine.snapshot)
    wake()
  }

  /// Sets the most deliveries that may run beside each other for now, 1 or more.
  ///
  /// What runs is not ended; `nil` allows as many as the policy has.
  public func setParallelLimit(_ limit: Int?) {
    machine.setParallelLimit(limit)
    wake()
  }

  /// Ends all waits, for when somebody knows that it is worth trying now.
  ///
  /// Holds, the upload window and the rate of deliveries stay.
  public func retryNow() {
    machine.retryNow(at: time.now())
    wake()
  }

  /// Ends the wait of one item, for example of one that was parked and is back in the queue.
  public func retryNow(id: String) {
    machine.retryNow(id)
    wake()
  }

  /// Does the next thing.
  ///
  /// - Returns: a delivery that is to be carried out from now on.
  private func step() async -> Begun? {
    let now = time.now()
    machine.setWindow(closedUntil: windowOpening(at: now))
    let action = machine.next(at: now)
    board.show(machine.snapshot)
    switch action {
    case .settle(let settlement): await settle(settlement)
    case .keep(let pause): await keep(pause)
    case .fetch(let excluded):
      guard let begun = await fetch(excluding: excluded) else { return nil }
      share()
      board.show(machine.snapshot)
      board.began(begun.delivery)
      return begun
    case .wait(let end): await wait(until: end)
    }
    return nil
  }

  private func fetch(excluding excluded: Set<String>) async -> Begun? {
    do {
      let next = try await queue.next(excluding: excluded)
      guard let delivery = machine.fetched(next, at: time.now()) else { return nil }
      // From this moment on a hold can end it, whether it has begun to be carried out or not.
      let (untilEnded, end) = AsyncStream.makeStream(
        of: Void.self, bufferingPolicy: .bufferingNewest(1))
      ends[delivery.id] = end
      return Begun(delivery: delivery, untilEnded: untilEnded)
    } catch {
      queueFailed(error, doing: "name the next item")
      return nil
    }
  }

  /// Delivers an item, until a hold ends that or the task is cancelled.
  private nonisolated func carryOut(_ begun: Begun) async {
    await withDiscardingTaskGroup { group in
      group.addTask { await self.deliver(begun.delivery) }
      // Nothing comes; it ends with the delivery, with a hold, or with this task.
      for await _ in begun.untilEnded {}
      group.cancelAll()
    }
  }

  /// Ends the deliveries that run.
  private func endDeliveries() {
    guard !ends.isEmpty else { return }
    logger.info(
      "deliveries are ended before their time and wait",
      metadata: ["target": "\(target.description)", "deliveries": "\(ends.count)"])
    for end in ends.values { end.finish() }
  }

  /// Delivers an item, away from the uploader's own executor.
  private nonisolated func deliver(_ delivery: PendingDelivery) async {
    let journal = UploadJournal(id: delivery.id, queue: queue, board: board)
    let result: Result<Receipt, DeliveryFailure>
    do {
      let receipt = try await target.deliver(delivery, journal: journal)
      result =
        receipt.sha256 == delivery.sha256
        ? .success(receipt)
        : .failure(
          DeliveryFailure(
            .corrupted, scope: .item,
            text: "the receipt for \"\(delivery.id)\" is for other bytes: SHA-256 \(receipt.sha256)"
          ))
    } catch {
      result = .failure(error)
    }
    await ended(delivery, result, isCancelled: Task.isCancelled)
  }

  private func ended(
    _ delivery: PendingDelivery, _ result: Result<Receipt, DeliveryFailure>, isCancelled: Bool
  ) {
    let id = delivery.id
    ends.removeValue(forKey: id)?.finish()
    board.ended(id)
    switch result {
    case .success(let receipt):
      machine.delivered(id, receipt, at: time.now(), random: random())
      failureLog.succeeded()
    case .failure where isCancelled:
      machine.cancelled(id, at: time.now())
    case .failure(let failure):
      let verdict = machine.failed(id, failure, at: time.now(), random: random())
      report(failure, of: delivery, verdict)
    }
    share()
    board.show(machine.snapshot)
    wake()
  }

  private func share() { bandwidth?.set(running: machine.running.count) }

  private func windowOpening(at now: Duration) -> Duration? {
    guard
      let opening = machine.policy.window.flatMap({ window in
        time.localTime().flatMap { window.opens(after: $0) }
      })
    else { return nil }
    // The clock on the wall may be set meanwhile.
    return now + min(opening, .seconds(60))
  }

  private func noteArrival() {
    machine.arrived()
    wake()
  }
}

extension Uploader {
  private func wait(until end: Duration?) async {
    // A running delivery wakes us when it ends. Nobody else is waited for longer than a day.
    let isEndless = end == nil && !machine.running.isEmpty
    let now = time.now()
    let end = end ?? now + .seconds(86_400)
    guard end > now else { return }
    let nap = Task<Void, Never> { [time] in
      // The end of the nap is all that matters, whether it was slept through or cancelled.
      if isEndless {
        let (endless, _) = AsyncStream.makeStream(of: Void.self)
        for await _ in endless {}
      } else {
        _ = try? await time.sleepUntil(end)
      }
    }
    self.nap = nap
    await withTaskCancellationHandler {
      await nap.value
    } onCancel: {
      nap.cancel()
    }
    self.nap = nil
  }

  private func wake() { nap?.cancel() }
}
