import Devices
import Dispatch
import Logging
import Synchronization

/// The requests of this side, and the streams that they start.
extension HostConnection {
  /// Makes a call and waits for its answer.
  ///
  /// - Parameters:
  ///   - frame: the longest frame that may be under way, which is added to the deadline.
  ///   - isAwaited: whether somebody waits for the answer; a call without a deadline kills nobody.
  func call(
    _ call: HostCall, of device: String, frame: Duration = .zero, isAwaited: Bool = true
  ) async -> Outcome {
    let limit = deadlines.limit(of: call) + frame
    let id = state.withLock { $0.ledger.begin(call.name, of: device, at: clock.now) }
    guard let id else {
      let note = HostLedger.Call(name: call.name, device: device, beginning: clock.now)
      return .failure((end ?? presumedEnd).error(of: note))
    }
    let timer =
      isAwaited
      ? Task {
        do { try await clock.sleep(for: limit) } catch { return }
        expire(id)
      } : nil
    defer { timer?.cancel() }
    return await withCheckedContinuation { waiter in
      let isTaken = state.withLock { state in
        // The process may have ended since the call was noted.
        guard state.ledger.isUsable else { return false }
        state.waiters[id] = waiter
        if case .lease(_, let stream, _) = call { state.leaseStreams[id] = stream }
        return true
      }
      guard isTaken else {
        let note = HostLedger.Call(name: call.name, device: device, beginning: clock.now)
        waiter.resume(returning: .failure((end ?? presumedEnd).error(of: note)))
        return
      }
      send(.call(id: id, call))
    }
  }

  private func expire(_ id: UInt64) {
    let (mustKill, child) = state.withLock { state in
      (state.ledger.expire(id, at: clock.now), state.child)
    }
    if mustKill { kill(child) }
  }

  /// Ends a lease without waiting.
  func giveBack(_ lease: UInt64) {
    if isUsable { send(.giveBack(lease: lease)) }
  }

  /// Closes an unused camera without waiting.
  func abandon(_ camera: Int) {
    if isUsable { send(.abandon(camera: camera)) }
  }

  private func send(_ request: HostRequest) {
    sending.async { [self] in
      do {
        try socket.send(try HostCodec.packet(of: request))
      } catch let error as HostCodec.Malformed {
        finish(.malformed(error.description))
      } catch {
        // The process is gone. Its thread sees the end too, and knows the cause.
        logger.debug("a request could not be sent", metadata: ["error": "\(error)"])
      }
    }
  }

  /// Makes a stream that can receive events before its start.
  func makeStream(of device: String) -> (number: Int, events: CameraEvents) {
    let stream = Stream(device: device)
    let number: Int? = state.withLock { state in
      guard state.ledger.isUsable else { return nil }
      state.nextStream += 1
      state.streams[state.nextStream] = stream
      return state.nextStream
    }
    if number == nil { stream.events.finish() }
    return (number ?? 0, stream.events)
  }

  /// Ends a stream on this side.
  func endStream(_ number: Int) {
    // The memory is unmapped after the lock is released.
    let stream = state.withLock { $0.streams.removeValue(forKey: number) }
    stream?.events.finish()
  }
}
