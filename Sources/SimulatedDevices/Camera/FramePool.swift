import Devices
import Synchronization

/// The buffers and the events of a stream, which the camera and the leases share.
///
/// The pool outlives the stream as long as there are leases. After ``close()`` only the leased
/// buffers keep their memory.
final class FramePool: Sendable {
  private struct State {
    var ledger: BufferLedger
    var memories: [BufferMemory]
    /// The memories of the raw frames; empty for a stream without them.
    var rawMemories: [BufferMemory]
    /// The memories of the previews; empty for a stream without them.
    var previewMemories: [BufferMemory]
    var infos: [Int: FrameInfo] = [:]
    var rawProperties: [Int: RawProperties] = [:]
    var isClosed = false
  }

  /// A buffer to fill, with the memories of the pictures beside its frame.
  struct Buffer {
    var slot: Int
    var memory: BufferMemory
    var raw: BufferMemory?
    var preview: BufferMemory?
  }

  private let format: StreamFormat
  private let rawFormat: RawStreamFormat?
  private let previewFormat: StreamFormat?
  /// The events of the stream.
  let events = CameraEvents()
  private let state: Mutex<State>

  /// Makes the buffers.
  ///
  /// - Throws: `DeviceError`, code `outOfMemory`.
  init(
    configuration: ResolvedStreamConfiguration, ringFrameCount: Int, device: String
  ) throws(DeviceError) {
    format = configuration.format
    rawFormat = configuration.raw
    previewFormat = configuration.preview
    var memories: [BufferMemory] = []
    var rawMemories: [BufferMemory] = []
    var previewMemories: [BufferMemory] = []
    for _ in 0..<configuration.bufferCount {
      memories.append(try BufferMemory(byteCount: format.byteCount, device: device))
      if let raw = configuration.raw {
        rawMemories.append(try BufferMemory(byteCount: raw.byteCount, device: device))
      }
      if let preview = configuration.preview {
        previewMemories.append(try BufferMemory(byteCount: preview.byteCount, device: device))
      }
    }
    state = Mutex(
      State(
        ledger: BufferLedger(
          bufferCount: configuration.bufferCount, ringFrameCount: ringFrameCount),
        memories: memories, rawMemories: rawMemories, previewMemories: previewMemories))
  }

  /// Takes a buffer to fill; gives `nil` when all are leased, and sends an event the first time.
  func take() -> Buffer? {
    state.withLock { state in
      switch state.ledger.take() {
      case .buffer(let slot):
        return Buffer(
          slot: slot, memory: state.memories[slot],
          raw: state.rawMemories.isEmpty ? nil : state.rawMemories[slot],
          preview: state.previewMemories.isEmpty ? nil : state.previewMemories[slot])
      case .starved(let isNew):
        // The event is sent under the lock, so that the end of a lease cannot overtake it. Sending
        // only enqueues, and the destruction of a frame event calls nothing here.
        if isNew { events.send(.starved) }
        return nil
      }
    }
  }

  /// Puts a filled buffer into the ring and sends the frame's event.
  func finish(_ slot: Int, _ info: FrameInfo, raw properties: RawProperties? = nil) {
    state.withLock { state in
      state.ledger.finish(slot, frame: info.id)
      state.infos[slot] = info
      state.rawProperties[slot] = properties
    }
    events.send(.frame(info))
  }

  /// Leases a frame; `nil` when the ring has moved past it or the stream has ended.
  func lease(_ id: UInt64) -> FrameLease? {
    state.withLock { state in
      guard !state.isClosed, let slot = state.ledger.lease(id), let info = state.infos[slot] else {
        return nil
      }
      var raw: RawFrame?
      if let rawFormat, let properties = state.rawProperties[slot] {
        raw = RawFrame(
          format: rawFormat, properties: properties,
          memory: LeasedSideMemory(memory: state.rawMemories[slot]))
      }
      let preview = previewFormat.map { format in
        PreviewImage(
          format: format, memory: LeasedSideMemory(memory: state.previewMemories[slot]))
      }
      return FrameLease(
        info: info, format: format,
        buffer: LeasedBuffer(slot: slot, memory: state.memories[slot], pool: self), raw: raw,
        preview: preview)
    }
  }

  /// Ends the stream and frees the unleased buffers.
  func close() {
    let memories = state.withLock { state in
      state.isClosed = true
      let memories = state.memories + state.rawMemories + state.previewMemories
      state.memories = []
      state.rawMemories = []
      state.previewMemories = []
      return memories
    }
    // The memory is unmapped after the lock is released.
    _ = memories
    events.finish()
  }

  fileprivate func giveBack(_ slot: Int) {
    state.withLock { state in
      let isReplenished = state.ledger.giveBack(slot)
      if isReplenished, !state.isClosed { events.send(.replenished) }
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

/// The memory of a picture beside a leased frame, which returns with the buffer.
private final class LeasedSideMemory: FrameMemory {
  private let memory: BufferMemory

  init(memory: BufferMemory) {
    self.memory = memory
  }

  var fileDescriptor: Int32 { memory.fileDescriptor }
  var offset: Int { 0 }
  var byteCount: Int { memory.byteCount }

  func readBytes(_ body: (UnsafeRawBufferPointer) -> Void) throws(DeviceError) {
    memory.withBytes { body(UnsafeRawBufferPointer($0)) }
  }
}
