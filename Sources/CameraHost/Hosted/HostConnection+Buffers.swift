import Devices
import Synchronization

/// The buffers of a stream that pictures have not needed yet.
struct UnmappedBuffers {
  /// The fewest buffers besides the promised leases that can spare one for a moment: of the others
  /// one is being filled, one waits for that, and one is complete.
  static let leastRing = 4

  /// The camera's number in its process.
  let camera: Int
  /// The number of the stream's buffers.
  let count: Int
  /// The leases in a row that may still bring no new buffer.
  private var patience: Int
  private var isLeasing = false
  private var skipsFrame = false

  init(camera: Int, count: Int) {
    self.camera = camera
    self.count = count
    patience = count * 4
  }

  /// Decides whether to lease the frame that has come, and notes the begin of the lease.
  mutating func begin() -> Bool {
    guard patience > 0, !isLeasing else { return false }
    // Buffers come round in their order: leases at the same distance might never see some of them.
    guard !skipsFrame else {
      skipsFrame = false
      return false
    }
    isLeasing = true
    return true
  }

  /// Notes the end of a lease.
  mutating func end(broughtBuffer: Bool) {
    isLeasing = false
    patience = broughtBuffer ? count * 4 : patience - 1
    skipsFrame = patience % 2 == 1
  }
}

/// The mapping of buffers before a press needs them.
extension HostConnection {
  /// Has the buffers of a started stream mapped as their frames come.
  ///
  /// A buffer comes with its first lease. To enter its pages takes 0.2 s where each page is a fault,
  /// as in the virtual rig, and the picture would wait for it. A press that comes before maps its
  /// own.
  func mapBuffers(of stream: Int, _ buffers: UnmappedBuffers) {
    state.withLock { $0.streams[stream]?.unmapped = buffers }
  }

  /// Leases a frame and gives it back at once, if that may map a buffer.
  ///
  /// No second frame is leased meanwhile.
  func mapBuffer(of stream: Int, frame: UInt64) {
    let wanted = state.withLock { state -> (camera: Int, device: String, known: Int)? in
      guard let known = state.streams[stream], let camera = known.unmapped?.camera,
        state.streams[stream]?.unmapped?.begin() == true
      else { return nil }
      return (camera, known.device, known.memories.count)
    }
    guard let (camera, device, known) = wanted else { return }
    Task(priority: .utility) {
      let outcome = await call(
        .lease(camera: camera, stream: stream, frame: frame), of: device, isAwaited: false)
      let isNew = state.withLock { ($0.streams[stream]?.memories.count ?? 0) > known }
      if case .lease(let lease, let memory, let raw, let preview) = outcome {
        giveBack(lease.lease)
        for (place, memory) in zip(lease.frames, [memory, raw, preview].compactMap(\.self))
        where isNew {
          memory.populate(upTo: place.end)
        }
      }
      state.withLock { $0.streams[stream]?.unmapped?.end(broughtBuffer: isNew) }
    }
  }
}
