import Capture
import Devices
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
  /// The space in bytes that the spool needs before a press is accepted: a large picture.
  static let roomForOnePicture: Int64 = 32 << 20

  /// The time that a call of the spool may take before presses are refused.
  static let patience = Duration.seconds(4)

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
        try await spool.checkRoom(forBytes: StorageService.roomForOnePicture)
        await session.endInterruption(.storageFull)
      } catch  where error.code == .full {
        await session.beginInterruption(.storageFull)
      } catch {
        logger.debug("the spool's room is unknown", metadata: ["error": "\(error)"])
      }
      do { try await clock.sleep(for: .seconds(1)) } catch { break }
    }
  }

  /// Watches for a call that the disk blocks; calls that wait for other calls do not count.
  private func watchForStalls() async {
    var seen: (call: UInt64?, since: MonotonicInstant) = (nil, clock.now)
    while !Task.isCancelled {
      let now = clock.now
      let call = spool.runningCall
      if call == nil || call != seen.call { seen = (call, now) }
      if seen.since.duration(to: now) >= Self.patience {
        await session.beginInterruption(.storageStalled)
      } else {
        await session.endInterruption(.storageStalled)
      }
      do { try await clock.sleep(for: .seconds(1)) } catch { break }
    }
  }
}
