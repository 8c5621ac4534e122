/// The queue of one target: whether anything waits or is parked.
package struct QueueState: Sendable, Hashable {
  /// Whether deliveries wait or are under way; those that wait for a final picture do not count.
  package var hasPending = false
  /// Whether deliveries were given up until a person asks for a retry.
  package var hasParked = false

  /// Makes a state; an empty queue by default.
  package init(hasPending: Bool = false, hasParked: Bool = false) {
    self.hasPending = hasPending
    self.hasParked = hasParked
  }
}

/// The queues as their commits leave them, without a look at the rows.
extension SpoolStorage {
  /// Puts an event for each queue that has changed since the last call before all other events.
  func noteQueues() {
    guard haveProxiesChanged || index.deliveries != notedDeliveries else { return }
    haveProxiesChanged = false
    notedDeliveries = index.deliveries
    var changes: [SpoolEvent] = []
    for target in configuration.targets {
      let now = queueNow(of: target)
      guard queues.updateValue(now, forKey: target) != now else { continue }
      changes.append(.queue(target, now))
    }
    events = changes + events
  }

  private func queueNow(of target: TargetID) -> QueueState {
    let counts = index.deliveries[target] ?? [:]
    return QueueState(
      hasPending: (counts[.pending] ?? 0) > 0 && isAnyDue(target),
      hasParked: (counts[.parked] ?? 0) > 0)
  }

  /// Returns whether a pending delivery does not wait for a final picture.
  ///
  /// - Complexity: O(1) without proxies, otherwise as ``Spool/nextDelivery(target:excluding:)``.
  private func isAnyDue(_ target: TargetID) -> Bool {
    guard !proxies.isEmpty else { return true }
    do throws(SpoolError) {
      let (next, finished) = try index.nextPending(
        target: target, isPassedOver: { waitsForFinal($0, target) })
      return next != nil || !finished.isEmpty
    } catch {
      return true
    }
  }
}
