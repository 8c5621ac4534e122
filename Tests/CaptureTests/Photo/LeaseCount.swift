import Devices
import Synchronization

/// The number of leases that are out.
final class LeaseCount: Sendable {
  private let count = Mutex(0)

  var leases: Int { count.withLock { $0 } }

  func lease(_ frame: FrameInfo, _ format: StreamFormat) -> FrameLease {
    count.withLock { $0 += 1 }
    return FrameLease(info: frame, format: format, buffer: CountedBuffer(self))
  }

  fileprivate func giveBack() { count.withLock { $0 -= 1 } }
}

private final class CountedBuffer: FrameBuffer {
  let fileDescriptor: Int32 = -1
  let offset = 0
  let byteCount = 0
  private let count: LeaseCount

  init(_ count: LeaseCount) { self.count = count }

  func readBytes(_ body: (UnsafeRawBufferPointer) -> Void) throws(DeviceError) {}

  func giveBack() { count.giveBack() }
}
