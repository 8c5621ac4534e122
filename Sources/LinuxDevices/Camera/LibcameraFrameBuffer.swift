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

/// The memory of a picture beside a leased frame, which ends with the lease.
final class LibcameraSideMemory: FrameMemory {
  /// The picture beside the frame.
  enum Kind {
    case raw, preview
  }

  let fileDescriptor: Int32
  let offset: Int
  let byteCount: Int
  private let kind: Kind
  private let lease: platen_camera_frame

  /// Makes the memory of a lease's picture; `nil` for a lease without it.
  init?(_ kind: Kind, of lease: platen_camera_frame, memory: platen_camera_frame_memory) {
    let (descriptor, offset, byteCount) =
      switch kind {
      case .raw: (memory.raw_descriptor, memory.raw_offset, memory.raw_byte_count)
      case .preview: (memory.preview_descriptor, memory.preview_offset, memory.preview_byte_count)
      }
    guard descriptor >= 0 else { return nil }
    self.kind = kind
    self.lease = lease
    fileDescriptor = descriptor
    self.offset = Int(offset)
    self.byteCount = Int(byteCount)
  }

  func readBytes(_ body: (UnsafeRawBufferPointer) -> Void) throws(DeviceError) {
    switch kind {
    case .raw:
      try read(
        platen_camera_frame_begin_raw_read, platen_camera_frame_end_raw_read, of: lease,
        device: "raw frame buffer \(fileDescriptor)", body)
    case .preview:
      try read(
        platen_camera_frame_begin_preview_read, platen_camera_frame_end_preview_read, of: lease,
        device: "preview buffer \(fileDescriptor)", body)
    }
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
