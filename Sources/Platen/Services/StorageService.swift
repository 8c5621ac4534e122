import Capture
import Devices
import Logging
import ServiceLifecycle
import Spool
import Synchronization

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

  /// Since when the spool has been asked for its room; `nil` when it has answered.
  private final class Question: Sendable {
    private let since = Mutex<MonotonicInstant?>(nil)

    func set(_ instant: MonotonicInstant?) { since.withLock { $0 = instant } }
    func age(at now: MonotonicInstant) -> Duration {
      since.withLock { $0?.duration(to: now) } ?? .zero
    }
  }

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
      let question = Question()
      group.addTask {
        await cancelWhenGracefulShutdown { await self.watchForRoom(question) }
        return nil
      }
      group.addTask {
        await cancelWhenGracefulShutdown { await self.watchForStalls(question) }
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

  private func watchForRoom(_ question: Question) async {
    while !Task.isCancelled {
      question.set(clock.now)
      do {
        try await spool.checkRoom(forBytes: StorageService.roomForOnePicture)
        await session.endInterruption(.storageFull)
      } catch  where error.code == .full {
        await session.beginInterruption(.storageFull)
      } catch {
        logger.debug("the spool's room is unknown", metadata: ["error": "\(error)"])
      }
      question.set(nil)
      do { try await clock.sleep(for: .seconds(1)) } catch { break }
    }
  }

  /// Blocking calls run in the spool one after the other, so that the question waits as long as
  /// the disk makes them wait.
  private func watchForStalls(_ question: Question) async {
    while !Task.isCancelled {
      if question.age(at: clock.now) >= Self.patience {
        await session.beginInterruption(.storageStalled)
      } else {
        await session.endInterruption(.storageStalled)
      }
      do { try await clock.sleep(for: .seconds(1)) } catch { break }
    }
  }
}
