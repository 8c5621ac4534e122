extension UploadStateMachine {
  /// The machine's decisions, with instants instead of remaining times.
  struct Snapshot: Sendable {
    var holds: Set<UploadHold> = []
    var breaker = TargetBreaker.State.closed
    var failure: DeliveryFailure?
    var queueFault: QueueFault?
    var waiting: [(id: String, fault: ItemFaults.Fault)] = []
    var waitingCount = 0

    /// Writes the snapshot into a status as of an instant.
    func show(in status: inout UploadStatus, at now: Duration) {
      status.holds = holds
      if let failure {
        switch breaker {
        case .closed: break
        case .open(let end):
          status.breaker = .open(remaining: max(.zero, end - now), reason: failure)
        case .halfOpen: status.breaker = .probing(reason: failure)
        }
      }
      status.queueFault = queueFault.map {
        UploadStatus.QueueFault(remaining: max(.zero, $0.end - now), reason: $0.failure)
      }
      status.waitingItems = waiting.map { id, fault in
        UploadStatus.WaitingItem(
          id: id, remaining: max(.zero, fault.end - now), failures: fault.failures,
          reason: fault.failure)
      }
      status.waitingItemCount = waitingCount
    }
  }

  /// The current snapshot for others.
  ///
  /// - Complexity: O(n log n) in the items that have failed.
  var snapshot: Snapshot {
    Snapshot(
      holds: allHolds, breaker: breaker.state, failure: breaker.failure, queueFault: queueFault,
      waiting: faults.first(UploadStatus.waitingItemLimit), waitingCount: faults.count)
  }
}
