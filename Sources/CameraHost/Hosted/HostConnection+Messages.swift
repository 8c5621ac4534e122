import Devices
import Foundation
import Synchronization

/// The messages of the process.
extension HostConnection {
  /// Takes a packet with its descriptors; returns `false` when the process has to end.
  func receive(_ packet: ArraySlice<UInt8>, _ descriptors: [Int32]) -> Bool {
    var descriptors = descriptors
    defer { for descriptor in descriptors { close(descriptor) } }
    do throws(HostCodec.Malformed) {
      let reply = try HostCodec.reply(in: packet)
      guard reply.hasPossibleTimes else {
        throw HostCodec.Malformed(description: "a message has an impossible time")
      }
      if let excess = reply.excess { throw HostCodec.Malformed(description: excess) }
      switch reply {
      case .ready(let greeting): try welcome(greeting)
      case .answer(let id, .lease(let lease)):
        try settle(id, lease, descriptor: descriptors.isEmpty ? nil : descriptors.removeFirst())
      case .answer(let id, let answer): try settle(id, answer)
      case .event(_, .streamFailed(let error)) where error.code == .needsNewProcess:
        finish(.used(error))
        return false
      case .event(let number, let event):
        state.withLock { $0.streams[number]?.events }?.send(event)
      case .endOfStream(let number): endStream(number)
      }
      return true
    } catch {
      finish(.malformed(error.description))
      return false
    }
  }

  private func welcome(_ greeting: HostGreeting) throws(HostCodec.Malformed) {
    guard greeting.version == HostGreeting.version else {
      throw HostCodec.Malformed(
        description: "it speaks version \(greeting.version), not \(HostGreeting.version)")
    }
    let (isExpected, waiter) = state.withLock { state in
      state.greeting = greeting
      defer { state.startWaiter = nil }
      return (state.ledger.becomeReady(), state.startWaiter)
    }
    guard isExpected else { throw HostCodec.Malformed(description: "it was ready twice") }
    waiter?.resume(returning: true)
  }

  private func settle(_ id: UInt64, _ answer: HostAnswer) throws(HostCodec.Malformed) {
    let (call, waiter) = state.withLock { state in
      state.leaseStreams[id] = nil
      return (state.ledger.answer(id), state.waiters.removeValue(forKey: id))
    }
    guard call != nil else {
      return try requireEnding("an answer to call \(id), which is not open")
    }
    waiter?.resume(returning: .answer(answer))
  }

  private func settle(
    _ id: UInt64, _ lease: HostedLease, descriptor: Int32?
  ) throws(HostCodec.Malformed) {
    let end = lease.offset.addingReportingOverflow(lease.byteCount)
    guard lease.offset >= 0, lease.byteCount >= 0, !end.overflow else {
      if let descriptor { close(descriptor) }
      throw HostCodec.Malformed(description: "a frame lies outside its buffer")
    }
    let number = state.withLock { $0.leaseStreams[id] }
    var memory = state.withLock { state in
      number.flatMap { state.streams[$0]?.memories[lease.buffer] }
    }
    do throws(DeviceError) {
      if let descriptor {
        let mapped = try SharedMemory(
          descriptor: descriptor, leastByteCount: end.partialValue, device: "camera process")
        memory = mapped
        if let number { state.withLock { $0.streams[number]?.memories[lease.buffer] = mapped } }
      }
    } catch {
      giveBack(lease.lease)
      return try settle(id, .failure(error))
    }
    guard let memory else {
      // The stream has been ended on this side meanwhile.
      giveBack(lease.lease)
      return try settle(id, .noLease)
    }
    guard end.partialValue <= memory.byteCount else {
      throw HostCodec.Malformed(description: "a frame lies outside its buffer")
    }
    let (call, waiter) = state.withLock { state in
      state.leaseStreams[id] = nil
      return (state.ledger.answer(id), state.waiters.removeValue(forKey: id))
    }
    guard call != nil, let waiter else {
      return try requireEnding("a lease for call \(id), which is not open")
    }
    waiter.resume(returning: .lease(lease, memory))
  }

  /// Throws unless the process is ending: an answer during a kill is late, and not wrong.
  private func requireEnding(_ problem: String) throws(HostCodec.Malformed) {
    guard state.withLock({ $0.ledger.cause }) != nil else {
      throw HostCodec.Malformed(description: problem)
    }
  }
}
