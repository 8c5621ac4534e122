import Logging

/// What of a long queue the start has left for later.
extension Spool {
  /// Begins to compare the rest with its files; does nothing when there is none.
  func beginRest() {
    guard storageIfOpen?.rest != nil else { return }
    logger.notice("the spool is open; the rest of a long queue is compared with its files behind")
    rest = Task { await putRestInOrder() }
  }

  private func putRestInOrder() async {
    do throws(SpoolError) {
      while !Task.isCancelled {
        let report = try perform { storage throws(SpoolError) in try storage.recoverSlice() }
        if let report {
          report.log(to: logger)
          return logger.notice("the whole queue has been compared with its files")
        }
        await Task.yield()
      }
    } catch {
      logger.warning(
        "the queue was not compared with all of its files; the next start does it",
        metadata: ["error": "\(error)"])
    }
  }
}

extension RecoveryReport {
  /// Logs what was put in order, if anything was.
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
        "spool.settled_presses": "\(settledPresses)",
        "spool.broken_index": "\(brokenIndex ?? "no")",
      ])
  }
}
