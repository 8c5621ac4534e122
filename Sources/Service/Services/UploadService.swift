import Capture
import Logging
import ServiceLifecycle
import Spool
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

  /// The events of the uploader and the spool, in one order.
  ///
  /// The events wait while the spool does not answer. Nothing begins or ends during that time, so
  /// few events come. If there are too many, the newest ones are kept, and listeners are told of
  /// the loss.
  struct News {
    enum Item {
      case delivery(DeliveryEvent)
      case spool(SpoolEvent)
    }

    /// The maximum number of waiting events.
    static let limit = 256

    let items: AsyncStream<Item>
    private let continuation: AsyncStream<Item>.Continuation
    private let logger: Logger
    private let onLoss: @Sendable () -> Void

    /// Makes an empty stream of events.
    ///
    /// - Parameter onLoss: the function that is called for each lost event of an uploader; it must
    ///   not wait.
    init(logger: Logger, onLoss: @escaping @Sendable () -> Void = {}) {
      self.logger = logger
      self.onLoss = onLoss
      (items, continuation) = AsyncStream.makeStream(
        of: Item.self, bufferingPolicy: .bufferingNewest(Self.limit))
    }

    /// Takes an uploader's events until they end, except its frequent progress events.
    ///
    /// The uploader itself gives its progress on request.
    func hear(_ events: AsyncStream<DeliveryEvent>) async {
      for await event in events {
        if case .progressed = event { continue }
        keep(.delivery(event))
      }
    }

    /// Takes a spool's events until they end.
    func hear(_ events: AsyncStream<SpoolEvent>) async {
      for await event in events { keep(.spool(event)) }
    }

    /// Ends the items.
    func finish() { continuation.finish() }

    private func keep(_ item: Item) {
      guard case .dropped(let lost) = continuation.yield(item) else { return }
      logger.debug("news of an uploader lost, nobody follows them")
      if case .delivery = lost { onLoss() }
    }
  }

  func run() async throws {
    let events = uploader.events()
    let spoolEvents = await spool.events()
    let news = News(logger: logger) { [changes = monitor.changes] in changes.send(.lost) }
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        await news.hear(events)
        news.finish()
      }
      group.addTask { await cancelWhenGracefulShutdown { await news.hear(spoolEvents) } }
      group.addTask { await follow(news.items) }
      group.addTask { await cancelWhenGracefulShutdown { await holdWhenToldTo() } }
      group.addTask { await cancelWhenGracefulShutdown { await uploader.run() } }
      await group.waitForAll()
    }
  }

  /// Follows both kinds of events one by one, so that the last shown state is the newest.
  private func follow(_ news: AsyncStream<News.Item>) async {
    await showWhatWaits()
    await showWhatIsParked()
    var presses: [String: Int64] = [:]
    for await event in news {
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
    // A limit of one change suffices: the state at the time of reading counts.
    let changes = monitor.changes.listen(limit: 1)
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
      await showWhatIsParked()
    case .stored:
      // The picture may have to wait for the time of day, or for a paused target.
      if await monitor.snapshot.uploads[target]?.activity != .waitingToRetry {
        await showWhatWaits()
      }
    case .quarantined, .evicted, .delivered:
      // In strict order all others would wait for the retry of a picture that is not retried.
      if case .quarantined(let id, _) = event { await uploader.retryNow(id: id.description) }
      // The picture has left the queue, perhaps without a delivery here, and may have been the
      // last.
      if await isEmpty { await monitor.note(upload: .idle, detail: nil, target: target) }
      await showWhatIsParked()
    case .parked: await showWhatIsParked()
    case .failed: break
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
      await showWhatIsParked()
    case .failed(let id, let failure, _, _):
      await note(id, presses.removeValue(forKey: id), .failed(reason: failure.text))
      // A damaged picture may have left the queue already, as the last one.
      if failure.code == .fileUnreadable, await isEmpty { return await showWhatWaits() }
      await monitor.note(upload: .waitingToRetry, detail: failure.text, target: target)
    case .parked(let id, let failure, _):
      await note(id, presses.removeValue(forKey: id), .parked(reason: failure.text))
      await showWhatWaits()
    }
  }

  /// Shows the fault of pictures that are set aside, until a person has dealt with the last one.
  private func showWhatIsParked() async {
    let target = TargetID(rawValue: target)
    guard let isParked = try? await spool.hasDeliveries(.parked, to: target) else { return }
    let fault = RigMonitor.Fault(reason: .deliveryParked, part: "target \(target.rawValue)")
    if isParked { await monitor.begin(fault) } else { await monitor.end(fault) }
  }

  private func showWhatWaits() async {
    await monitor.note(upload: await isEmpty ? .idle : .active, detail: nil, target: target)
  }

  private func note(
    _ id: String, _ press: Int64?, _ outcome: RigMonitor.DeliveryChange.Outcome
  ) async {
    await monitor.note(
      delivery: .init(itemID: id, press: press, target: target, outcome: outcome))
  }

  /// Whether no picture waits for this target.
  private var isEmpty: Bool {
    get async {
      (try? await spool.hasDeliveries(.pending, to: TargetID(rawValue: target))) != true
    }
  }
}
