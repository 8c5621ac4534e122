import Capture
import Devices
import Doctor
import Logging
import ServiceLifecycle
import Spool
import Synchronization

/// The service that enters every press, every outcome of a recording, and every lost edge.
///
/// The spool's ledger has them all. The spool itself notes a recording that is stored.
///
/// Entering does not wait. A refused press is on stable storage after ``delay``. A press in flight
/// gets there with its outcome, in the commit of the picture. A slow press gets there before, after
/// one or two times ``longDelay``. The latency of a stored press follows with any other commit.
/// When the session has ended, everything is written.
///
/// A failed session ends before the buttons and the API, whose later presses are refused without an
/// event. These presses are entered when this service ends. The service starts before buttons and
/// API, and so ends after them.
final class LedgerService: Service {
  /// The time for which refused presses and lost edges are collected before they are written.
  static let delay = Duration.milliseconds(50)
  /// The time for which a press in flight waits for the commit of a picture.
  static let longDelay = Duration.seconds(1)

  private let session: CaptureSession
  private let spool: Spool
  private let clock: any MonotonicClock
  private let bootID: String?
  private let read: @Sendable (MonotonicInstant) -> WallClockReading
  private let logger: Logger
  private let events: AsyncStream<CaptureEvent>
  private let (soon, wakeSoon) = AsyncStream.makeStream(
    of: Void.self, bufferingPolicy: .bufferingNewest(1))
  private let (later, wakeLater) = AsyncStream.makeStream(
    of: Void.self, bufferingPolicy: .bufferingNewest(1))
  /// Whether the last attempt failed, so that the failure is logged once.
  private let isFailing = Mutex(false)

  /// Begins to listen before the session runs.
  ///
  /// - Parameter read: the function that returns the wall-clock time at an instant.
  init(
    session: CaptureSession, spool: Spool, clock: any MonotonicClock, bootID: String?,
    logger: Logger,
    read: @escaping @Sendable (MonotonicInstant) -> WallClockReading = {
      WallClock().reading(at: $0)
    }
  ) {
    self.session = session
    self.spool = spool
    self.clock = clock
    self.bootID = bootID
    self.logger = logger
    self.read = read
    events = session.events.listen(limit: 4096) { dropped in
      // A slow reader loses nothing: the spool limits and counts.
      switch dropped {
      case .press(let record):
        spool.enter(PressEntry(record, bootID: bootID, reading: read(record.press.time)))
      case .movie(.finished(let record)):
        if let entry = PressEntry(refusalOf: record, bootID: bootID) { spool.enter(entry) }
      default: break
      }
    }
  }

  func run() async throws {
    let newest = await withTaskGroup(of: Void.self, returning: Int64.self) { group in
      group.addTask { await self.writeSoon() }
      group.addTask { await self.writeLate() }
      var newest = Int64.min
      for await event in events {
        switch event {
        case .press(let record):
          newest = max(newest, record.press.number)
          enter(record)
        case .movie(.finished(let record)): enter(record)
        default: break
        }
      }
      group.cancelAll()
      return newest
    }
    await write()
    // A service that returns would end all others.
    try? await gracefulShutdown()
    await enterPresses(after: newest)
    await write()
  }

  /// Enters the presses after the newest one with an event; the numbers ascend.
  private func enterPresses(after newest: Int64) async {
    for record in await session.latestRecords(.max).reversed() where record.press.number > newest {
      enter(record)
    }
  }

  /// Notes lost edges of a button's line.
  func note(lostEdges count: Int, button: String) {
    guard count > 0 else { return }
    let now = clock.now
    spool.enter(
      LostEdges(
        button: button, count: Int64(count),
        time: CaptureTime(now, bootID: bootID, reading: read(now))))
    wakeSoon.yield()
  }

  /// Notes the press that starts a recording.
  func note(_ entry: PressEntry) {
    spool.enter(entry)
    wakeLater.yield()
  }

  private func enter(_ record: MovieRecord) {
    guard let entry = PressEntry(refusalOf: record, bootID: bootID) else { return }
    spool.enter(entry)
    wakeSoon.yield()
  }

  private func enter(_ record: PressRecord) {
    spool.enter(PressEntry(record, bootID: bootID, reading: read(record.press.time)))
    switch record.outcome {
    case .stored: break
    case .refused: wakeSoon.yield()
    case nil: wakeLater.yield()
    }
  }

  private func writeSoon() async {
    for await _ in soon {
      do { try await clock.sleep(for: Self.delay) } catch { return }
      await write()
    }
  }

  /// Writes presses that no other commit has written in time, and retries after a full disk.
  private func writeLate() async {
    for await _ in later {
      let begun = spool.pressesInFlight
      do { try await clock.sleep(for: Self.longDelay) } catch { return }
      let isSlow = !begun.isDisjoint(with: spool.pressesInFlight)
      if isSlow || isFailing.withLock({ $0 }) { await write() }
    }
  }

  private func write() async {
    do throws(SpoolError) {
      while try await spool.writePresses() {}
      isFailing.withLock { $0 = false }
    } catch {
      let isNew = isFailing.withLock { isFailing in
        defer { isFailing = true }
        return !isFailing
      }
      if isNew {
        logger.warning("presses could not be entered", metadata: ["error": "\(error)"])
      }
      // A full disk may have space later; any other error ends the service.
      if error.code == .full { wakeLater.yield() }
    }
  }
}

extension CaptureTime {
  /// Makes the time of an instant of this boot.
  init(_ instant: MonotonicInstant, bootID: String?, reading: WallClockReading) {
    self.init(
      bootID: bootID, monotonicNanoseconds: instant.nanoseconds,
      wallNanoseconds: reading.nanosecondsSinceEpoch,
      wallTrust: reading.trust)
  }
}

extension PressEntry {
  /// Makes the outcome of a refused recording, which the entry of its press absorbs.
  ///
  /// - Returns: `nil` for a stored recording, and for one without a press.
  fileprivate init?(refusalOf record: MovieRecord, bootID: String?) {
    guard let number = record.press, case .refused(let error) = record.outcome else { return nil }
    self.init(
      number: number,
      time: CaptureTime(
        bootID: bootID, monotonicNanoseconds: nil, wallNanoseconds: nil, wallTrust: .unknown),
      source: .unknown)
    outcome = .refused(error.code.rawValue)
  }

  /// Makes the ledger's entry of a press from the session's record.
  init(_ record: PressRecord, bootID: String?, reading: WallClockReading) {
    self.init(
      number: record.press.number,
      time: CaptureTime(record.press.time, bootID: bootID, reading: reading),
      source: record.press.source)
    gesture = record.press.gesture
    button = record.press.button
    bracket = record.bracket
    readiness = record.readiness
    switch record.outcome {
    case .stored(let photo):
      warnings = photo.page?.warnings
      outcome = .stored(([photo.itemID] + photo.companionIDs).compactMap { ItemID($0) })
    case .refused(let reason): outcome = .refused(reason.rawValue)
    case nil: break
    }
    frame = record.frame.map { Int64(clamping: $0.sequence) }
    selectionErrorNanoseconds = record.selectionError?.wholeNanoseconds
    frameIntervalNanoseconds = record.frameInterval?.wholeNanoseconds
    pressToFrameNanoseconds = record.pressToFrame?.wholeNanoseconds
    pressToStoredNanoseconds = record.pressToStored?.wholeNanoseconds
    // The text may still turn a picture for which gravity cannot tell.
    let isDecided = record.outcome != nil || record.orientationSource ?? .gravity == .gravity
    captureAngle = isDecided ? record.captureAngle : nil
    adjusting = record.frame.flatMap { $0.adjusting.isEmpty ? nil : $0.adjusting }
  }
}
