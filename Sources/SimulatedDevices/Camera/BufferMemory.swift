import Devices
import Glibc

/// A memory file, mapped once for its lifetime.
///
/// The address is kept as a number, because pointers cannot be shared between tasks. The
/// ``BufferLedger`` decides which part may write and which may read.
final class BufferMemory: Sendable {
  let fileDescriptor: Int32
  let byteCount: Int
  private let address: UInt

  /// Makes a memory file (`memfd_create`, `ftruncate`, `mmap`).
  ///
  /// - Throws: `DeviceError`, code `outOfMemory`.
  init(byteCount: Int, device: String) throws(DeviceError) {
    func failure(_ call: String) -> DeviceError {
      DeviceError(
        .outOfMemory, device: device, problem: "has no memory for its buffers",
        cause: "\(call): \(SystemError.last)")
    }
    let descriptor = BufferMemory.openFile()
    guard descriptor >= 0 else { throw failure("memfd_create") }
    guard ftruncate(descriptor, byteCount) == 0 else {
      let error = failure("ftruncate")
      close(descriptor)
      throw error
    }
    let mapping = mmap(nil, byteCount, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0)
    guard let mapping, mapping != MAP_FAILED else {
      let error = failure("mmap")
      close(descriptor)
      throw error
    }
    fileDescriptor = descriptor
    self.byteCount = byteCount
    address = UInt(bitPattern: mapping)
  }

  deinit {
    munmap(UnsafeMutableRawPointer(bitPattern: address), byteCount)
    close(fileDescriptor)
  }

  /// Calls a closure with the memory.
  func withBytes(_ body: (UnsafeMutableRawBufferPointer) -> Void) {
    withExtendedLifetime(self) {
      body(
        UnsafeMutableRawBufferPointer(
          start: UnsafeMutableRawPointer(bitPattern: address), count: byteCount))
    }
  }

  /// Opens an unnamed file in memory with close-on-exec.
  ///
  /// Swift's Glibc module does not show `memfd_create`, so it is looked up by name. `shm_open` is
  /// no alternative: containers often limit `/dev/shm` to 64 MiB and kill a process that writes
  /// beyond.
  private static func openFile() -> Int32 {
    typealias MemfdCreate = @convention(c) (UnsafePointer<CChar>, UInt32) -> Int32
    let closeOnExec: UInt32 = 1  // MFD_CLOEXEC
    if let symbol = dlsym(nil, "memfd_create") {
      return unsafeBitCast(symbol, to: MemfdCreate.self)("platen-frame", closeOnExec)
    }
    errno = ENOSYS
    return -1
  }
}
