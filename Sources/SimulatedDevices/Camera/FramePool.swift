import Devices
import Synchronization

/// The buffers of one stream, and its events: the place where the camera and the leases meet.
///
/// It outlives the stream for as long as leases do; after ``close()`` only the leased buffers keep
/// their memory.
final class FramePool: Sendable {
  private struct State {
    var ledger: BufferLedger
    var memories: [BufferMemory]
    var infos: [Int: FrameInfo] = [:]
    var isClosed = false
  }

  private let format: StreamFormat
  private let continuation: AsyncStream<CameraEvent>.Continuation
  private let state: Mutex<State>

  /// Makes the buffers.
  ///
  /// - Throws: `DeviceError`, code `outOfMemory`.
  init(
    configuration: ResolvedStreamConfiguration, ringFrameCount: Int, device: String,
    events continuation: AsyncStream<CameraEvent>.Continuation
  ) throws(DeviceError) {
    format = configuration.format
    self.continuation = continuation
    var memories: [BufferMemory] = []
    for _ in 0..<configuration.bufferCount {
      memories.append(try BufferMemory(byteCount: format.byteCount, device: device))
    }
    state = Mutex(
      State(
        ledger: BufferLedger(
          bufferCount: configuration.bufferCount, ringFrameCount: ringFrameCount),
        memories: memories))
  }

  /// Says what happened, unless the stream has ended.
  func yield(_ event: CameraEvent) {
    continuation.yield(event)
  }

  /// Takes a buffer to fill; `nil`, and an event when it is news, when all are leased.
  func take() -> (slot: Int, memory: BufferMemory)? {
    state.withLock { state in
      switch state.ledger.take() {
      case .buffer(let slot): return (slot, state.memories[slot])
      case .starved(let isNew):
        // Under the lock, so that it cannot be overtaken by the giving back that ends it. A yield
        // only enqueues, and frame events own nothing whose end could come back here.
        if isNew { continuation.yield(.starved) }
        return nil
      }
    }
  }

  /// Puts a filled buffer into the ring and says so.
  func finish(_ slot: Int, _ info: FrameInfo) {
    state.withLock { state in
      state.ledger.finish(slot, frame: info.id)
      state.infos[slot] = info
    }
    continuation.yield(.frame(info))
  }

  /// Leases a frame; `nil` when the ring has moved past it or the stream has ended.
  func lease(_ id: UInt64) -> FrameLease? {
    let found: (FrameInfo, LeasedBuffer)? = state.withLock { state in
      guard !state.isClosed, let slot = state.ledger.lease(id), let info = state.infos[slot] else {
        return nil
      }
      return (info, LeasedBuffer(slot: slot, memory: state.memories[slot], pool: self))
    }
    return found.map { FrameLease(info: $0.0, format: format, buffer: $0.1) }
  }

  /// Ends the stream and frees the buffers that nobody leases.
  func close() {
    let memories = state.withLock { state in
      state.isClosed = true
      let memories = state.memories
      state.memories = []
      return memories
    }
    // Unmapping is left until the lock is open again.
    _ = memories
    continuation.finish()
  }

  fileprivate func giveBack(_ slot: Int) {
    state.withLock { state in
      let isReplenished = state.ledger.giveBack(slot)
      if isReplenished, !state.isClosed { continuation.yield(.replenished) }
    }
  }
}

/// A leased buffer of a ``FramePool``.
private final class LeasedBuffer: FrameBuffer {
  private let slot: Int
  private let memory: BufferMemory
  private let pool: FramePool

  init(slot: Int, memory: BufferMemory, pool: FramePool) {
    self.slot = slot
    self.memory = memory
    self.pool = pool
  }

  var fileDescriptor: Int32 { memory.fileDescriptor }
  var offset: Int { 0 }
  var byteCount: Int { memory.byteCount }

  func readBytes(_ body: (UnsafeRawBufferPointer) -> Void) throws(DeviceError) {
    memory.withBytes { body(UnsafeRawBufferPointer($0)) }
  }

  func giveBack() { pool.giveBack(slot) }
}
