import Logging

/// The background comparison of the queue's rest, which the start has left.
extension Spool {
  /// Starts the comparison of the rest with its files; does nothing when there is no rest.
  func beginRest() {
    guard storageIfOpen?.rest != nil else { return }
    logger.notice("the spool is open; the rest of a long queue is compared with its files behind")
    let pause = storageIfOpen?.environment.pauseOfRest ?? .zero
    rest = Task { [weak self] in
      while !Task.isCancelled, let step = await self?.putRestInOrder() {
        switch step {
        case .done: return
        case .goesOn: await Task.yield()
        case .isHeldUp: try? await Task.sleep(for: pause)
        }
      }
    }
  }

  /// The outcome of a slice.
  private enum Step {
    case done, goesOn, isHeldUp
  }

  private func putRestInOrder() -> Step {
    do throws(SpoolError) {
      let report = try perform { storage throws(SpoolError) in try storage.recoverSlice() }
      guard let report else { return .goesOn }
      report.log(to: logger)
      logger.notice("the whole queue has been compared with its files")
      return .done
    } catch  where error.isPersistent || error.code == .closed {
      return .done
    } catch {
      logger.warning(
        "the queue is compared with its files later", metadata: ["error": "\(error)"])
      return .isHeldUp
    }
  }
}

extension RecoveryReport {
  /// Logs the repairs, if there were any.
  func log(to logger: Logger) {
    guard !isClean else { return }
    logger.notice(
      "spool put in order",
      metadata: [
        "spool.adopted": "\(adopted)", "spool.quarantined": "\(quarantined)",
        "spool.removed_parts": "\(removedParts)",
        "spool.removed_delivered": "\(removedDelivered)",
        "spool.removed_evicted": "\(removedEvicted)",
        "spool.restored_sidecars": "\(restoredSidecars)",
        "spool.restored": "\(restored)",
        "spool.found_quarantined": "\(foundQuarantined)",
        "spool.left_behind": "\(leftBehind)",
        "spool.lonely_sidecars": "\(lonelySidecars)",
        "spool.placed_recordings": "\(placedRecordings)",
        "spool.settled_presses": "\(settledPresses)",
        "spool.broken_index": "\(brokenIndex ?? "no")",
      ])
  }
}
