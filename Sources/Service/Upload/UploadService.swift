import Capture
import Devices
import Logging
import ServiceLifecycle
import Spool
import Synchronization
import Upload

/// The service that runs the uploader of one target and shows its activity.
///
/// On shutdown the service ends running transfers. Pictures without a receipt are sent again after
/// the next start.
struct UploadService: Service {
  let target: String
  let uploader: Uploader
  let spool: Spool
  let monitor: RigMonitor
  let logger: Logger
  let queue = ToldQueue()

  /// The target's queue as the spool has told it last, also while the events of it are unread.
  final class ToldQueue: Sendable {
    private let told = Mutex<QueueState?>(nil)

    var state: QueueState { told.withLock { $0 } ?? QueueState() }

    /// Takes a state that the spool has told.
    func take(_ state: QueueState) { told.withLock { $0 = state } }

    /// Takes the state at the beginning, unless the spool has told a newer one meanwhile.
    func begin(with state: QueueState?) { told.withLock { $0 = $0 ?? state } }
  }

  /// An event of the uploader or the spool.
  enum Event: Sendable {
    case delivery(DeliveryEvent)
    case spool(SpoolEvent)
  }

  /// The maximum number of unread events.
  static let eventLimit = 256

  func run() async throws {
    let events = EventHub<Event>()
    let unread = listen(to: events)
    spool.eventHub.forward { [queue, target] event in
      switch event {
      case .queue(let changed, let state):
        guard changed.rawValue == target else { return }
        queue.take(state)
      case .waiting, .quarantined: break
      // Hundreds of them would take the place of an event that is followed.
      case .stored, .replaced, .delivered, .evicted, .parked, .failed: return
      }
      events.send(.spool(event))
    }
    queue.begin(with: try? await spool.queue(of: TargetID(rawValue: target)))
    uploader.events.forward {
      events.send(.delivery($0))
    } finish: {
      events.finish()
    }
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await follow(unread) }
      group.addTask { await cancelWhenGracefulShutdown { await holdWhenToldTo() } }
      group.addTask { await cancelWhenGracefulShutdown { await uploader.run() } }
      await group.waitForAll()
    }
  }

  /// Returns the events in one order, without the uploader's frequent reports of progress.
  ///
  /// If there are too many unread events, the newest ones are kept. The monitor's listeners are
  /// told of the loss of a delivery's event.
  func listen(to events: EventHub<Event>) -> AsyncStream<Event> {
    events.listen(
      limit: Self.eventLimit,
      onDrop: { lost in
        logger.debug("events of an uploader are lost, because they are not read in time")
        if case .delivery = lost { monitor.changes.send(.lost) }
      },
      where: { if case .delivery(.progressed) = $0 { false } else { true } })
  }

  /// Follows both kinds of events one by one, so that the last shown state is the newest.
  private func follow(_ events: AsyncStream<Event>) async {
    await showWhatWaits()
    await showWhatIsParked()
    var presses: [String: Int64] = [:]
    for await event in events {
      switch event {
      case .delivery(let event): await follow(event, &presses)
      case .spool(let event): await follow(event)
      }
    }
  }

  /// Holds or limits the uploads while the rig is hot, before captures are limited.
  ///
  /// The uploads are held, too, while a technician has paused them.
  private func holdWhenToldTo() async {
    let changes = monitor.snapshotChanges()
    var restraint = Restraint(await monitor.snapshot)
    await apply(restraint)
    for await _ in changes {
      let now = Restraint(await monitor.snapshot)
      guard now != restraint else { continue }
      restraint = now
      await apply(restraint)
      await monitor.noteHeldTargets()
    }
  }

  /// The limits of the uploads.
  private struct Restraint: Equatable {
    var holds: Set<UploadHold> = []
    var parallelLimit: Int?

    init(_ snapshot: RigMonitor.Snapshot) {
      let heat = snapshot.heat
      if heat.constraints.uploads == .hold {
        holds.insert(heat.state == .critical ? .thermalCritical : .thermalSerious)
      }
      if snapshot.areUploadsPaused { holds.insert(.technician) }
      parallelLimit = heat.constraints.uploads == .single ? 1 : nil
    }
  }

  private func apply(_ restraint: Restraint) async {
    await uploader.setHolds(restraint.holds)
    await uploader.setParallelLimit(restraint.parallelLimit)
  }

  private func follow(_ event: SpoolEvent) async {
    switch event {
    case .waiting(let id):
      // A person has requested the upload, so it does not wait for its earlier failure.
      await uploader.retryNow(id: id.description)
      await showWhatWaits()
      // Many of them may have taken the place of the queue's own event.
      await showWhatIsParked()
    case .queue:
      // The first picture may have to wait for the time of day, or for a paused target.
      let isRetrying = await monitor.snapshot.uploads[target]?.activity == .waitingToRetry
      if !isRetrying || !queue.state.hasPending { await showWhatWaits() }
      await showWhatIsParked()
    case .quarantined(let id, _):
      // In strict order all others would wait for the retry of a picture that is not retried.
      await uploader.retryNow(id: id.description)
    case .stored, .replaced, .delivered, .evicted, .parked, .failed: break
    }
  }

  /// Shows an uploader's event.
  ///
  /// - Parameter presses: the presses of the running deliveries by their items.
  private func follow(_ event: DeliveryEvent, _ presses: inout [String: Int64]) async {
    switch event {
    case .began(let id, _, _, let metadata):
      presses[id] = UploadedMetadata.press(of: metadata)
      await monitor.note(upload: .active, detail: nil, target: target)
      await note(id, presses[id], .began)
    case .progressed: break
    case .completed(let id, let receipt):
      logger.info(
        "uploaded",
        metadata: [
          "item.id": "\(id)", "upload.target": "\(target)", "upload.url": "\(receipt.url)",
        ])
      await note(id, presses.removeValue(forKey: id), .completed(receipt))
      await showWhatWaits()
    case .failed(let id, let failure, _, _):
      await note(id, presses.removeValue(forKey: id), .failed(reason: failure.text))
      // A damaged picture may have left the queue already, as the last one.
      if failure.code == .fileUnreadable, !queue.state.hasPending { return await showWhatWaits() }
      await monitor.note(upload: .waitingToRetry, detail: failure.text, target: target)
    case .parked(let id, let failure, _):
      await note(id, presses.removeValue(forKey: id), .parked(reason: failure.text))
      await showWhatWaits()
    }
  }

  /// Shows the fault of pictures that are set aside, until a person has dealt with the last one.
  private func showWhatIsParked() async {
    let fault = RigMonitor.Fault.parked(target)
    if queue.state.hasParked { await monitor.begin(fault) } else { await monitor.end(fault) }
  }

  private func showWhatWaits() async {
    await monitor.note(
      upload: queue.state.hasPending ? .active : .idle, detail: nil, target: target)
  }

  private func note(
    _ id: String, _ press: Int64?, _ outcome: RigMonitor.DeliveryChange.Outcome
  ) async {
    await monitor.note(
      delivery: .init(itemID: id, press: press, target: target, outcome: outcome))
  }
}
