import Devices
import Synchronization
import TestSupport

/// A counter of the leases of a camera system.
final class LeaseCounter: Sendable {
  /// The number of leases in total, at present, and at most at a time.
  struct Leases: Sendable, Hashable {
    var taken = 0
    var out = 0
    var mostOut = 0
    /// The number of reads of the frames themselves, without those of their previews.
    var readCount = 0
  }

  private let counts = Mutex(Leases())

  /// The number of leases in total, at present, and at most at a time.
  var leases: Leases { counts.withLock { $0 } }

  /// Returns the cameras of a system, whose leases are counted here and have no raw frames.
  func cameras(of base: any CameraSystem) -> RelayedCameras {
    RelayedCameras(base) { [self] lease in
      counts.withLock { counts in
        counts.taken += 1
        counts.out += 1
        counts.mostOut = max(counts.mostOut, counts.out)
      }
      return FrameLease(
        info: lease.info, format: lease.format, buffer: CountedBuffer(lease, self),
        preview: lease.preview)
    }
  }

  fileprivate func noteRead() { counts.withLock { $0.readCount += 1 } }

  fileprivate func giveBack() { counts.withLock { $0.out -= 1 } }
}

/// The buffer of a lease that is counted.
private final class CountedBuffer: FrameBuffer {
  private let lease: FrameLease
  private let counter: LeaseCounter

  init(_ lease: FrameLease, _ counter: LeaseCounter) {
    self.lease = lease
    self.counter = counter
  }

  var fileDescriptor: Int32 { lease.buffer.fileDescriptor }
  var offset: Int { lease.buffer.offset }
  var byteCount: Int { lease.buffer.byteCount }

  func readBytes(_ body: (UnsafeRawBufferPointer) -> Void) throws(DeviceError) {
    counter.noteRead()
    try lease.buffer.readBytes(body)
  }

  func giveBack() {
    lease.end()
    counter.giveBack()
  }
}
