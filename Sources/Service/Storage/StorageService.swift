import Capture
import Devices
import Doctor
import Logging
import ServiceLifecycle
import Spool

/// The service that watches the spool.
///
/// A full disk interrupts captures until it has space. A disk that does not answer interrupts them
/// until it does. A failed spool ends the service, so that it restarts.
///
/// On shutdown the service closes the spool. The service is the first to start and the last to
/// stop.
struct StorageService: Service {
  /// The time that a call of the spool may take before presses are refused.
  static let timeout = Duration.seconds(4)

  let spool: Spool
  let session: CaptureSession
  let clock: any MonotonicClock
  let logger: Logger

  func run() async throws {
    let events = await spool.events()
    var failure: SpoolError?
    let watch = await withTaskGroup(of: SpoolError?.self) { group in
      group.addTask {
        for await event in events {
          if case .failed(let error) = event { return error }
        }
        return nil
      }
      group.addTask {
        await cancelWhenGracefulShutdown { await self.watchForRoom() }
        return nil
      }
      group.addTask {
        await cancelWhenGracefulShutdown { await self.watchForStalls() }
        return nil
      }
      let first = await group.next() ?? nil
      group.cancelAll()
      return first
    }
    failure = watch
    if let failure {
      await session.beginInterruption(.storageFailed)
      logger.critical("the spool failed, restarting", metadata: ["error": "\(failure)"])
      throw failure
    }
    await spool.close()
  }

  private func watchForRoom() async {
    while !Task.isCancelled {
      do {
        try await spool.checkRoom(forBytes: StorageCheck.Room.forOnePicture)
        await interrupt(for: .storageFull, false)
      } catch  where error.code == .full {
        await interrupt(for: .storageFull, true)
      } catch {
        logger.debug("the spool's room is unknown", metadata: ["error": "\(error)"])
      }
      // The kernel sends no event when a disk gets room.
      do { try await clock.sleep(untilNext: .seconds(1)) } catch { break }
    }
  }

  /// Watches for a call that the disk blocks; calls that wait for other calls do not count.
  private func watchForStalls() async {
    var seen: (call: UInt64?, since: MonotonicInstant) = (nil, clock.now)
    while !Task.isCancelled {
      let now = clock.now
      let call = spool.runningCall
      if call == nil || call != seen.call { seen = (call, now) }
      await interrupt(for: .storageStalled, seen.since.duration(to: now) >= Self.timeout)
      // A call that hangs sends no event.
      do { try await clock.sleep(untilNext: .seconds(1)) } catch { break }
    }
  }

  /// Begins or ends an interruption; leaves the session alone when that changes nothing.
  private func interrupt(for reason: InterruptionReason, _ isLasting: Bool) async {
    guard session.readiness.reasons.contains(reason) != isLasting else { return }
    if isLasting {
      await session.beginInterruption(reason)
    } else {
      await session.endInterruption(reason)
    }
  }
}
