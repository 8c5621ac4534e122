import CHostCalls
package import Devices
import Glibc

/// A buffer of another process, mapped into this process for the object's lifetime.
///
/// The address is kept as a number, because pointers cannot be shared between tasks. The descriptor
/// holds the memory, which so outlives the other process.
package final class SharedMemory: Sendable {
  /// The dma-buf or memory file.
  let descriptor: Int32
  /// The number of mapped bytes.
  let byteCount: Int
  private let address: UInt

  /// Maps a descriptor (`mmap`) and takes it over, also closing it on failure.
  ///
  /// - Parameter leastByteCount: the number of bytes that the frame needs; also the mapped length
  ///   if the file does not report its own.
  /// - Throws: `DeviceError`, code `inputOutput` or `outOfMemory`.
  package init(descriptor: Int32, leastByteCount: Int, device: String) throws(DeviceError) {
    // Memory files and dma-bufs (dma_buf_llseek) report their length in this way.
    let length = lseek(descriptor, 0, SEEK_END)
    guard length < 0 || length >= leastByteCount else {
      Glibc.close(descriptor)
      throw DeviceError(
        .inputOutput, device: device, problem: "sent a buffer that cannot be used",
        cause: "it has \(length) bytes; the frame needs \(leastByteCount)")
    }
    byteCount = length > 0 ? Int(length) : leastByteCount
    guard byteCount > 0,
      let mapping = mmap(nil, byteCount, PROT_READ, MAP_SHARED, descriptor, 0),
      mapping != MAP_FAILED
    else {
      let error = SystemError.last
      Glibc.close(descriptor)
      throw DeviceError(
        .outOfMemory, device: device, problem: "sent a buffer that cannot be mapped",
        cause: "mmap: \(error)")
    }
    self.descriptor = descriptor
    address = UInt(bitPattern: mapping)
  }

  deinit {
    munmap(UnsafeMutableRawPointer(bitPattern: address), byteCount)
    Glibc.close(descriptor)
  }

  /// Enters pages into this process's page table, which the first reader would wait for.
  ///
  /// - Parameter end: the end of the frame; a camera process may send a file that is far longer.
  func populate(upTo end: Int) {
    guard let start = UnsafeRawPointer(bitPattern: address) else { return }
    withExtendedLifetime(self) { CHostCalls_readPages(start, min(end, byteCount)) }
  }

  /// Calls a closure with a part of the memory, made coherent for the processor around the call.
  ///
  /// - Throws: `DeviceError`, code `inputOutput`.
  package func read(
    offset: Int, count: Int, _ body: (UnsafeRawBufferPointer) -> Void
  ) throws(DeviceError) {
    let error = CHostCalls_synchronizeRead(descriptor, 1)
    guard error == 0 else {
      throw DeviceError(
        .inputOutput, device: "frame buffer \(descriptor)", problem: "cannot be read",
        cause: "DMA_BUF_IOCTL_SYNC: \(SystemError(error))")
    }
    let base = UnsafeRawPointer(bitPattern: address)
    withExtendedLifetime(self) {
      body(UnsafeRawBufferPointer(start: base.map { $0 + offset }, count: count))
    }
    // The frame has been read already, so a failure to hand back its cache does no harm.
    _ = CHostCalls_synchronizeRead(descriptor, 0)
  }
}

/// The memory of a leased frame of a camera process.
final class HostedFrameBuffer: FrameBuffer {
  let offset: Int
  let byteCount: Int
  private let memory: SharedMemory
  private let lease: UInt64
  private let connection: HostConnection

  init(memory: SharedMemory, lease: HostedLease, connection: HostConnection) {
    self.memory = memory
    self.lease = lease.lease
    self.connection = connection
    offset = lease.offset
    byteCount = lease.byteCount
  }

  var fileDescriptor: Int32 { memory.descriptor }

  func readBytes(_ body: (UnsafeRawBufferPointer) -> Void) throws(DeviceError) {
    try memory.read(offset: offset, count: byteCount, body)
  }

  func giveBack() { connection.giveBack(lease) }
}

/// The memory of a picture beside a leased frame, which returns with the lease.
final class HostedSideMemory: FrameMemory {
  let offset: Int
  let byteCount: Int
  private let memory: SharedMemory

  init(_ memory: SharedMemory, offset: Int, byteCount: Int) {
    self.memory = memory
    self.offset = offset
    self.byteCount = byteCount
  }

  var fileDescriptor: Int32 { memory.descriptor }

  func readBytes(_ body: (UnsafeRawBufferPointer) -> Void) throws(DeviceError) {
    try memory.read(offset: offset, count: byteCount, body)
  }
}
