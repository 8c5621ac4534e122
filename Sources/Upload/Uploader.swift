package import Devices
package import Logging
import Synchronization

/// An actor that delivers the items of a queue to one target while it runs.
///
/// A failed attempt is retried after a wait that ``UploadPolicy`` chooses. An item that fails too
/// often is parked, not dropped. Each target has its own uploader, independent of the others.
package actor Uploader {
  let queue: any DeliveryQueue
  let target: any UploadTarget
  let time: UploadTime
  let random: @Sendable () -> Double
  let logger: Logger
  let board: UploadBoard
  var machine: UploadStateMachine
  var failureLog = FailureLog()
  private let bandwidth: BandwidthShare?
  private let hasher = FileHasher()
  private let arrivals = Arrivals()
  /// The continuations of the running deliveries; finishing one ends its delivery.
  private var ends: [String: AsyncStream<Void>.Continuation] = [:]

  /// A delivery that is carried out until the stream ends at the latest.
  private struct Begun: Sendable {
    var delivery: PendingDelivery
    var untilEnded: AsyncStream<Void>
  }

  /// Makes an uploader, which does nothing before ``run()``.
  ///
  /// - Parameters:
  ///   - queue: the items.
  ///   - target: the target of the items.
  ///   - policy: the rules for deliveries.
  ///   - bandwidth: the bandwidth that the running deliveries share; the uploader sets their
  ///     number.
  ///   - time: the clocks.
  ///   - random: a closure that draws a number from 0 to 1 for each wait.
  ///   - logger: the logger, which gets a line for each failed attempt and, at debug level, for
  ///     each delivery. While the target stays down, there is one line for each reason and minute.
  package init(
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

  /// The uploader's current status.
  package nonisolated var status: UploadStatus { board.status }

  /// The events of the deliveries; the hub is finished with ``run()``.
  package nonisolated var events: EventHub<DeliveryEvent> { board.events }

  /// Delivers until the task is canceled, which also ends running transfers at once.
  ///
  /// An item that is not delivered stays in the queue, and no attempt is counted for it. Receipts
  /// that have come are still committed.
  package func run() async {
    queue.tellArrivals { [arrivals] in arrivals.note() }
    board.start()
    await resumePause()
    await withDiscardingTaskGroup { group in
      while !Task.isCancelled {
        guard let begun = await self.step() else { continue }
        group.addTask { await self.carryOut(begun) }
      }
      group.cancelAll()
    }
    await settleAll()
    board.finish()
  }

  /// Replaces the external reasons not to begin deliveries.
  ///
  /// Only ``UploadHold/thermalCritical`` ends running deliveries. Their items return to the queue,
  /// no attempt is counted, and receipts that have come are still committed. The uploader sets the
  /// hold of the upload window itself.
  package func setHolds(_ holds: Set<UploadHold>) {
    machine.setHolds(holds)
    if holds.contains(where: \.endsDeliveries) { endDeliveries() }
    // The status is shown at once, as the loop may be waiting.
    board.show(machine.snapshot)
    wake()
  }

  /// Sets the maximum number of parallel deliveries for now, 1 or more.
  ///
  /// Running deliveries are not ended; `nil` restores the policy's limit.
  package func setParallelLimit(_ limit: Int?) {
    machine.setParallelLimit(limit)
    wake()
  }

  /// Ends all waits, for a caller that knows that a retry is worthwhile.
  ///
  /// Holds, the upload window and the rate of deliveries stay in effect.
  package func retryNow() {
    machine.retryNow(at: time.now())
    wake()
  }

  /// Ends the wait of one item, for example of a parked item that is back in the queue.
  package func retryNow(id: String) {
    machine.retryNow(id)
    wake()
  }

  /// Carries out the next action.
  ///
  /// - Returns: a delivery that is to be carried out from now on.
  private func step() async -> Begun? {
    if arrivals.take() { machine.arrived() }
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
      // From now on a hold can end the delivery, even before it is carried out.
      let (untilEnded, end) = AsyncStream.makeStream(
        of: Void.self, bufferingPolicy: .bufferingNewest(1))
      ends[delivery.id] = end
      return Begun(delivery: delivery, untilEnded: untilEnded)
    } catch {
      queueFailed(error, doing: "name the next item")
      return nil
    }
  }

  /// Delivers an item until a hold ends the delivery or the task is canceled.
  private nonisolated func carryOut(_ begun: Begun) async {
    await withDiscardingTaskGroup { group in
      group.addTask { await self.deliver(begun.delivery) }
      // The stream has no elements; it ends with the delivery, with a hold, or with this task.
      for await _ in begun.untilEnded {}
      group.cancelAll()
    }
  }

  /// Ends the running deliveries.
  private func endDeliveries() {
    guard !ends.isEmpty else { return }
    logger.info(
      "deliveries are ended before their time and wait",
      metadata: ["target": "\(target.description)", "deliveries": "\(ends.count)"])
    for end in ends.values { end.finish() }
  }

  /// Delivers an item, away from the uploader's own executor.
  private nonisolated func deliver(_ delivery: PendingDelivery) async {
    let journal = UploadJournal(id: delivery.id, queue: queue, board: board, logger: logger)
    let result: Result<Receipt, DeliveryFailure>
    do {
      let receipt = try await target.deliver(delivery, journal: journal)
      result = await check(receipt, of: delivery)
    } catch {
      result = .failure(error)
    }
    await ended(delivery, result, isCancelled: Task.isCancelled)
  }

  /// Compares a receipt with the item.
  ///
  /// The file may have been damaged while it was sent, and a target that answers with a status
  /// alone compares nothing. The file is then read again.
  private nonisolated func check(
    _ receipt: Receipt, of delivery: PendingDelivery
  ) async -> Result<Receipt, DeliveryFailure> {
    guard receipt.sha256 == delivery.sha256 else {
      return .failure(
        DeliveryFailure(
          .corrupted, scope: .item,
          text: "the receipt for \"\(delivery.id)\" is for other bytes: SHA-256 \(receipt.sha256)"))
    }
    guard receipt.verification == .statusOnly else { return .success(receipt) }
    // A receipt that has come is committed, so a hold does not end its check.
    let comparison = Task { [hasher] () async -> DeliveryFailure? in
      do throws(DeliveryFailure) {
        try await hasher.verify(delivery)
        return nil
      } catch {
        return error
      }
    }
    if let failure = await comparison.value { return .failure(failure) }
    return .success(receipt)
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
    // The wall clock may be set meanwhile.
    return now + min(opening, .seconds(60))
  }
}

extension Uploader {
  private func wait(until end: Duration?) async {
    if let end, end <= time.now() { return }
    // A running delivery wakes us when it ends.
    let isBusy = end == nil && !machine.running.isEmpty
    let wakeSignal = arrivals.wakeSignal
    await withTaskCancellationHandler {
      if isBusy { await wakeSignal.wait() } else { await time.sleep(end, wakeSignal) }
    } onCancel: {
      wakeSignal.give()
    }
  }

  private func wake() { arrivals.wakeSignal.give() }
}

/// Arrivals that an uploader has not looked at, and the signal that ends its wait.
private final class Arrivals: Sendable {
  let wakeSignal = WakeSignal()
  private let haveCome = Mutex(false)

  /// Notes an arrival, on any thread.
  func note() {
    haveCome.withLock { $0 = true }
    wakeSignal.give()
  }

  /// Returns whether there were arrivals, and takes back all signals given so far.
  func take() -> Bool {
    wakeSignal.reset()
    return haveCome.withLock { haveCome in
      defer { haveCome = false }
      return haveCome
    }
  }
}
