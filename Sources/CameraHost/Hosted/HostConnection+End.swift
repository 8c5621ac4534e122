import Devices
import Synchronization

/// The end of the process, and of all that waits for it.
extension HostConnection {
  /// Kills the process for a cause; calls fail and streams end at once.
  func finish(_ cause: HostEnd.Cause) {
    let (isFirst, child) = state.withLock { ($0.ledger.end(cause), $0.child) }
    if isFirst { kill(child) }
  }

  /// Kills the process after the ledger has decided its end, and fails all that waits.
  func kill(_ child: ChildProcess?) {
    child?.kill()
    let end = presumedEnd
    // The end is noted before the calls fail, so that their callers can read the cause.
    whenEnded(end)
    failAll(end)
  }

  /// Closes the socket, so that the process ends by itself.
  func letGo() {
    let isFirst = state.withLock { $0.ledger.end(.requested) }
    guard isFirst else { return }
    socket.shutDown()
    whenEnded(presumedEnd)
    failAll(presumedEnd)
  }

  /// Waits until the process has ended, at most for a duration.
  ///
  /// - Returns: whether the process has ended.
  func hasEnded(within timeout: Duration) async -> Bool {
    // The task is separate, so that a canceled caller waits, too.
    await Task { [collected, clock] in
      await answer(within: timeout, clock) { () -> Bool? in
        for await _ in collected.listen() {}
        return true
      } ?? false
    }.value
  }

  /// Notes the collected end of the process, and resumes all that waits for it.
  func noteEnd(_ note: (inout HostLedger) -> HostEnd) {
    let (end, isNews) = state.withLock { state in
      let isNews = state.ledger.cause == nil
      return (note(&state.ledger), isNews)
    }
    if isNews { whenEnded(end) }
    failAll(end)
    collected.finish()
  }

  private func failAll(_ end: HostEnd) {
    let (calls, waiters, streams, starting) = state.withLock { state in
      defer {
        state.waiters = [:]
        state.leaseStreams = [:]
        state.streams = [:]
        state.startWaiter = nil
      }
      return (state.ledger.takeAll(), state.waiters, state.streams, state.startWaiter)
    }
    starting?.resume(returning: false)
    for (id, waiter) in waiters {
      let call = calls[id] ?? HostLedger.Call(name: "answer", device: "camera", beginning: end.time)
      waiter.resume(returning: .failure(end.error(of: call)))
    }
    for stream in streams.values {
      if !end.isInOrder { stream.events.send(.streamFailed(end.error(ofStream: stream.device))) }
      stream.events.finish()
    }
  }
}
