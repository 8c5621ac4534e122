import Devices
import Synchronization

/// The buffers of a stream that pictures have not needed yet.
struct UnmappedBuffers {
  /// The camera's number in its process.
  let camera: Int
  /// The number of buffers in the stream's ring, 1 or more.
  let count: Int
  /// The longest time from frame to frame.
  let frame: Duration
  /// The leases in a row that may still bring no new buffer.
  private var patience: Int
  private var isLeasing = false

  init(camera: Int, count: Int, frame: Duration) {
    self.camera = camera
    self.count = count
    self.frame = frame
    patience = count
  }

  /// Whether to lease the next frame now, which is then noted as begun.
  mutating func begin() -> Bool {
    guard patience > 0, !isLeasing else { return false }
    isLeasing = true
    return true
  }

  /// Notes the end of a lease.
  ///
  /// - Parameter broughtBuffer: `nil` if the ring had moved past the frame.
  mutating func end(broughtBuffer: Bool?) {
    isLeasing = false
    if let broughtBuffer { patience = broughtBuffer ? count : patience - 1 }
  }
}

/// The mapping of buffers before a press needs them.
extension HostConnection {
  /// Has the buffers of a started stream mapped as their frames come.
  ///
  /// A buffer comes with its first lease. To enter its pages takes 0.2 s where each page is a fault,
  /// as in the virtual rig, and the picture would wait for it.
  func mapBuffers(of stream: Int, _ buffers: UnmappedBuffers) {
    state.withLock { $0.streams[stream]?.unmapped = buffers }
  }

  /// Leases a frame and gives it back at once, if that may map a buffer.
  ///
  /// One frame is leased at a time. No more are after as many leases without a new buffer as there
  /// are buffers.
  func mapBuffer(of stream: Int, frame: UInt64) {
    let wanted = state.withLock { state -> (UnmappedBuffers, device: String, known: Int)? in
      guard let known = state.streams[stream], state.streams[stream]?.unmapped?.begin() == true,
        let unmapped = known.unmapped
      else { return nil }
      return (unmapped, known.device, known.memories.count)
    }
    guard let (buffers, device, known) = wanted else { return }
    Task(priority: .utility) {
      let outcome = await call(
        .lease(camera: buffers.camera, stream: stream, frame: frame), of: device,
        frame: buffers.frame)
      var memories: [SharedMemory?] = []
      if case .lease(let lease, let memory, let raw, let preview) = outcome {
        giveBack(lease.lease)
        memories = [memory, raw, preview]
      }
      let isNew = state.withLock { $0.streams[stream].map { $0.memories.count > known } }
      if isNew == true { for memory in memories { memory?.populate() } }
      state.withLock {
        $0.streams[stream]?.unmapped?.end(broughtBuffer: memories.isEmpty ? nil : isNew)
      }
    }
  }
}
