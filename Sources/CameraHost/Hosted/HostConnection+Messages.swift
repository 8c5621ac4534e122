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
        defer { descriptors = [] }
        try settle(id, lease, descriptors)
      case .answer(let id, let answer): try settle(id, answer)
      case .event(_, .streamFailed(let error)) where error.code == .needsNewProcess:
        finish(.used(error))
        return false
      case .event(let number, let event):
        state.withLock { $0.streams[number]?.events }?.send(event)
        if case .frame(let frame) = event { mapBuffer(of: number, frame: frame.id) }
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

  /// Takes a lease with the descriptors of its buffers, which the service then has.
  private func settle(
    _ id: UInt64, _ lease: HostedLease, _ descriptors: [Int32]
  ) throws(HostCodec.Malformed) {
    let frames = lease.frames
    guard descriptors.isEmpty || descriptors.count == frames.count, frames.allSatisfy(\.isPossible)
    else {
      for descriptor in descriptors { close(descriptor) }
      throw HostCodec.Malformed(description: "a frame lies outside its buffer")
    }
    let number = state.withLock { $0.leaseStreams[id] }
    var memories: [SharedMemory?] = []
    for (index, frame) in frames.enumerated() {
      guard !descriptors.isEmpty else {
        memories.append(
          state.withLock { state in
            number.flatMap { state.streams[$0]?.memories[frame.buffer] }
          })
        continue
      }
      do throws(DeviceError) {
        let mapped = try SharedMemory(
          descriptor: descriptors[index], leastByteCount: frame.end, device: "camera process")
        if let number { state.withLock { $0.streams[number]?.memories[frame.buffer] = mapped } }
        memories.append(mapped)
      } catch {
        // The process sends a buffer once, so that only its replacement can send it again.
        throw HostCodec.Malformed(description: error.description)
      }
    }
    let known = memories.compactMap(\.self)
    guard known.count == frames.count else {
      // The stream has been ended on this side meanwhile.
      giveBack(lease.lease)
      return try settle(id, .noLease)
    }
    guard zip(frames, known).allSatisfy({ $0.end <= $1.byteCount }) else {
      throw HostCodec.Malformed(description: "a frame lies outside its buffer")
    }
    let (call, waiter) = state.withLock { state in
      state.leaseStreams[id] = nil
      return (state.ledger.answer(id), state.waiters.removeValue(forKey: id))
    }
    guard call != nil, let waiter else {
      return try requireEnding("a lease for call \(id), which is not open")
    }
    waiter.resume(
      returning: .lease(
        lease, known[0], raw: lease.raw == nil ? nil : known[1],
        preview: lease.preview == nil ? nil : known[known.count - 1]))
  }

  /// Throws unless the process is ending: an answer during a kill is late, and not wrong.
  private func requireEnding(_ problem: String) throws(HostCodec.Malformed) {
    guard state.withLock({ $0.ledger.cause }) != nil else {
      throw HostCodec.Malformed(description: problem)
    }
  }
}

extension HostedLease {
  /// A frame's place in a buffer.
  struct Place {
    var buffer: Int
    var offset: Int
    var byteCount: Int

    /// Whether the frame's end is a number.
    var isPossible: Bool {
      offset >= 0 && byteCount >= 0 && !offset.addingReportingOverflow(byteCount).overflow
    }

    /// The first byte behind the frame.
    var end: Int { offset + byteCount }
  }

  /// The places of the processed frame, then of the raw one, and then of the preview.
  var frames: [Place] {
    let places: [Place?] = [
      Place(buffer: buffer, offset: offset, byteCount: byteCount),
      raw.map { Place(buffer: $0.buffer, offset: $0.offset, byteCount: $0.byteCount) },
      preview.map { Place(buffer: $0.buffer, offset: $0.offset, byteCount: $0.byteCount) },
    ]
    return places.compactMap(\.self)
  }
}
