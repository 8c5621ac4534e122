import CLibcameraShim
import Devices

/// The memory of a leased frame.
///
/// The buffer holds only numbers: the shim's handle for the lease, which keeps the memory. Calls
/// with the handle fail with `EBADF` once the lease has ended.
final class LibcameraFrameBuffer: FrameBuffer {
  let fileDescriptor: Int32
  let offset: Int
  let byteCount: Int
  private let lease: platen_camera_frame

  /// Takes over a lease of the shim.
  init(lease: platen_camera_frame, memory: platen_camera_frame_memory) {
    self.lease = lease
    fileDescriptor = memory.descriptor
    offset = Int(memory.offset)
    byteCount = Int(memory.byte_count)
  }

  func readBytes(_ body: (UnsafeRawBufferPointer) -> Void) throws(DeviceError) {
    try read(
      platen_camera_frame_begin_read, platen_camera_frame_end_read, of: lease,
      device: "frame buffer \(fileDescriptor)", body)
  }

  func giveBack() {
    platen_camera_frame_release(lease)
  }
}

/// The memory of a leased frame's raw samples, which ends with the lease.
final class LibcameraRawMemory: FrameMemory {
  let fileDescriptor: Int32
  let offset: Int
  let byteCount: Int
  private let lease: platen_camera_frame

  /// Makes the memory of a lease; `nil` for a lease without a raw frame.
  init?(lease: platen_camera_frame, memory: platen_camera_frame_memory) {
    guard memory.raw_descriptor >= 0 else { return nil }
    self.lease = lease
    fileDescriptor = memory.raw_descriptor
    offset = Int(memory.raw_offset)
    byteCount = Int(memory.raw_byte_count)
  }

  func readBytes(_ body: (UnsafeRawBufferPointer) -> Void) throws(DeviceError) {
    try read(
      platen_camera_frame_begin_raw_read, platen_camera_frame_end_raw_read, of: lease,
      device: "raw frame buffer \(fileDescriptor)", body)
  }
}

/// Reads a leased frame between two calls of the shim, which make the processor's cache follow.
private func read(
  _ begin: (
    platen_camera_frame, UnsafeMutablePointer<UnsafeRawPointer?>, UnsafeMutablePointer<UInt64>
  ) -> Int32,
  _ end: (platen_camera_frame) -> Int32, of lease: platen_camera_frame, device: String,
  _ body: (UnsafeRawBufferPointer) -> Void
) throws(DeviceError) {
  var bytes: UnsafeRawPointer?
  var count: UInt64 = 0
  let status = begin(lease, &bytes, &count)
  guard status == 0 else {
    throw DeviceError(
      ShimOutcome(status: status, cause: ""), device: device, problem: "cannot be read")
  }
  body(UnsafeRawBufferPointer(start: bytes, count: Int(count)))
  // The frame has been read, so a failure to return its cache does not matter.
  _ = end(lease)
}
