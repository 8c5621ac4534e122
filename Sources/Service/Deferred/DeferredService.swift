import Capture
import Devices
import Foundation
import Imaging
import Logging
import RigConfiguration
import ServiceLifecycle
import Spool

/// The service that replaces proxies by their final pictures while the rig has nothing else to do.
///
/// An encoder with one core works, so that a press that comes meanwhile is hardly slowed. The
/// service runs also without `image.deferred`, for the proxies of an earlier run.
struct DeferredService: Service {
  /// The time between two looks at the rig while nothing can be done.
  static let interval = Duration.seconds(5)

  let spool: Spool
  let image: ImageSection
  let bootID: String?
  let clock: any MonotonicClock
  let logger: Logger
  /// A function that returns the state of the rig.
  let rig: @Sendable () async -> DeferralPolicy.Rig
  private let pool = EncoderPool(coreCount: 1)

  func run() async throws {
    let startedAt = clock.now
    await cancelWhenGracefulShutdown { await self.workOff(since: startedAt) }
    // A service that returns would end all others.
    try? await gracefulShutdown()
  }

  /// Makes final pictures whenever the rig allows it, until the task ends or the spool fails.
  private func workOff(since startedAt: MonotonicInstant) async {
    while !Task.isCancelled {
      do {
        for id in try await spool.placeFinals() {
          logger.info("a final picture has its place now", metadata: ["item.id": "\(id)"])
        }
        if let proxy = try await spool.nextProxy(), try await finish(proxy, startedAt) { continue }
      } catch let error as SpoolError where error.isPersistent || error.code == .closed {
        return
      } catch {
        logger.warning("a final picture could not be made", metadata: ["error": "\(error)"])
      }
      do { try await clock.sleep(untilNext: Self.interval) } catch { return }
    }
  }

  /// Ends the wait of a proxy; returns whether the rig allowed it.
  private func finish(
    _ proxy: DeferredProxy, _ startedAt: MonotonicInstant
  ) async throws -> Bool {
    /// Returns the time since a picture was taken; since the start for one of another boot.
    func age(_ metadata: ItemMetadata) -> Duration {
      let captured = metadata.captured
      let isOfThisBoot = bootID != nil && captured.bootID == bootID
      let taken = isOfThisBoot ? captured.monotonicNanoseconds : nil
      return (taken.map(MonotonicInstant.init(nanoseconds:)) ?? startedAt).duration(to: clock.now)
    }
    let newest = try await spool.recentItems(limit: 1).first?.metadata
    let step = DeferralPolicy.step(
      attempts: proxy.metadata.proxy?.attempts ?? 0,
      cutAttempts: proxy.metadata.proxy?.cutAttempts ?? 0, sourceBytes: proxy.sourceBytes,
      age: age(proxy.metadata), idle: age(newest ?? proxy.metadata),
      isOnlyCopy: proxy.isQuarantined, await rig())
    switch step {
    case nil: return false
    case .keepProxy(let reason): try await keep(proxy, reason)
    case .makeFinal: try await makeFinal(of: proxy)
    }
    return true
  }

  private func makeFinal(of proxy: DeferredProxy) async throws {
    do {
      let source = try await spool.beginFinal(of: proxy.id)
      let settings = image.settings(for: .quality).filter { $0.rendition == .full }
      let picture = try await pool.perform { encoder, threadCount in
        try DeferredFrames.finalPicture(
          of: source, proxy: proxy.metadata, settings: settings, encoder: encoder,
          threadCount: threadCount)
      }
      try await spool.replaceProxy(proxy.id, bytes: picture.bytes, metadata: picture.metadata)
      logger.info("a final picture has replaced its proxy", metadata: ["item.id": "\(proxy.id)"])
    } catch let error as SpoolError where error.code == .full && !proxy.isQuarantined {
      try await keep(proxy, .storage)
    } catch {
      await spool.abandonFinal(of: proxy.id, after: error)
      throw error
    }
  }

  private func keep(_ proxy: DeferredProxy, _ reason: SingleFrameReason) async throws {
    try await spool.keepProxy(proxy.id, because: reason)
    logger.warning(
      "a proxy is kept as the final picture",
      metadata: ["item.id": "\(proxy.id)", "reason": "\(reason.rawValue)"])
  }
}
