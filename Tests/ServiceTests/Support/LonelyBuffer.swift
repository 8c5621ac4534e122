import Devices
import Glibc
import Synchronization
import TestSupport

/// The memory of a frame that no thread can read while it reads another frame.
///
/// Each picture of a bracket can then be encoded, and the bracket cannot be merged.
final class LonelyBuffer: FrameBuffer {
  private static let readers = Mutex<Set<pthread_t>>([])
  private let lease: FrameLease

  private init(_ lease: FrameLease) { self.lease = lease }

  /// Returns the cameras of a system, with such memory.
  static func cameras(of base: any CameraSystem) -> RelayedCameras {
    RelayedCameras(base) { lease in
      FrameLease(info: lease.info, format: lease.format, buffer: LonelyBuffer(lease))
    }
  }

  var fileDescriptor: Int32 { lease.buffer.fileDescriptor }
  var offset: Int { lease.buffer.offset }
  var byteCount: Int { lease.buffer.byteCount }

  func readBytes(_ body: (UnsafeRawBufferPointer) -> Void) throws(DeviceError) {
    let thread = pthread_self()
    guard Self.readers.withLock({ $0.insert(thread).inserted }) else {
      throw DeviceError(.inputOutput, device: "frame \(lease.info.id)", problem: "cannot be read")
    }
    defer { Self.readers.withLock { _ = $0.remove(thread) } }
    try lease.buffer.readBytes(body)
  }

  func giveBack() { lease.end() }
}
