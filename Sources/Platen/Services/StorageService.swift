import Capture
import Devices
import Logging
import ServiceLifecycle
import Spool

/// Watches the spool: a full disk interrupts the captures until there is room, one that does not
/// answer until it does, and a failed one ends the service so that it starts anew.
///
/// Its shutdown closes the spool; it is the first service to start and the last to stop.
struct StorageService: Service {
  /// What the spool must have room for before a press is taken, in bytes: a large picture.
  static let roomForOnePicture: Int64 = 32 << 20

  /// How long the spool may work at one call before a picture is better not taken.
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

  /// Watches for a call that the disk does not let return; calls that wait for others are no stall.
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
