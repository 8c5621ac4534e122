import API
import Capture
import Devices
import Doctor
import Glibc
import Synchronization

/// A probe that writes a file in a directory, syncs it to stable storage and reads it back.
///
/// The file's name is removed as soon as the file is open, so that nothing of it remains. The calls
/// block on the disk, on the probe's separate queue.
actor StorageProbe {
  /// A request to end the probe.
  final class Stop: Sendable {
    private let isSet = Mutex(false)
    var isWanted: Bool { isSet.withLock { $0 } }
    func set() { isSet.withLock { $0 = true } }
  }

  /// A failed system call.
  struct Failure: Error, Equatable {
    var deed: String
    var number: Int32
  }

  /// The number of syncs of 4 KiB to stable storage.
  static let syncs = 5
  private static let chunk = 1 << 20

  private let executor = DispatchQueueExecutor(label: "platen.test.storage")
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
  private let running = Mutex(false)
  private let clock = SystemMonotonicClock()

  /// Whether a probe runs, even one whose caller has given up.
  nonisolated var isRunning: Bool { running.withLock { $0 } }

  /// Probes a directory.
  ///
  /// - Parameters:
  ///   - mebibytes: the file's length.
  ///   - minimumFreeBytes: the space that must stay free.
  ///   - stop: the request that ends the probe between two system calls.
  func probe(
    _ directory: String, mebibytes: Int, minimumFreeBytes: Int64, stop: Stop
  ) -> StorageTestReport {
    running.withLock { $0 = true }
    defer { running.withLock { $0 = false } }
    let bytes = Int64(mebibytes) << 20
    let room = StorageCheck.Room.of(directory)
    // A press must have space beside the file, or the test itself would refuse it.
    let needed = minimumFreeBytes + StorageCheck.Room.forOnePicture + (1 << 20)
    if let room, room.freeBytes - bytes < needed {
      return StorageTestReport(
        directory: directory, freeBytes: room.freeBytes,
        problem: TestProblem(
          DoctorCode(.storageFull),
          "\(room.freeBytes >> 20) MiB are free, and \(needed >> 20) MiB must stay free"))
    }
    do throws(Failure) {
      let descriptor = try open(directory)
      defer { close(descriptor) }
      let write = try write(mebibytes, to: descriptor, stop)
      let sync = try measureSync(descriptor, at: bytes)
      let read = try readBack(mebibytes, from: descriptor, stop)
      return StorageTestReport(
        directory: directory, bytes: bytes, writeRate: Self.rate(mebibytes, write),
        readRate: Self.rate(mebibytes, read), syncMilliseconds: sync / .milliseconds(1),
        freeBytes: room?.freeBytes)
    } catch {
      return StorageTestReport(
        directory: directory, freeBytes: room?.freeBytes,
        problem: Self.problem(error, directory))
    }
  }

  /// Returns the problem of a failed call.
  static func problem(_ failure: Failure, _ directory: String) -> TestProblem {
    let code: DoctorCode
    switch failure.number {
    case EROFS: code = .storageReadOnly
    case ENOSPC, EDQUOT, EFBIG: code = DoctorCode(.storageFull)
    case EACCES, EPERM, ENOENT, ENOTDIR: code = .storageUnusable
    default: code = .storageErrors
    }
    let cause = failure.number == 0 ? "" : ": \(SystemError(failure.number))"
    return TestProblem(code, "a file in \"\(directory)\" \(failure.deed)\(cause)")
  }

  private static func rate(_ mebibytes: Int, _ time: Duration) -> Double? {
    let seconds = time / .seconds(1)
    return seconds > 0 ? Double(mebibytes) / seconds : nil
  }

  // MARK: calls of the system

  private func open(_ directory: String) throws(Failure) -> Int32 {
    let path = directory + "/.storage-test"
    // The file may remain from a probe that was interrupted between its first two calls.
    unlink(path)
    let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw Failure(deed: "cannot be made", number: errno) }
    guard unlink(path) == 0 else {
      let failure = Failure(deed: "cannot be removed", number: errno)
      close(descriptor)
      throw failure
    }
    return descriptor
  }

  /// Writes a chunk for each MiB, and syncs it to stable storage (`fsync`) before the next.
  ///
  /// A picture that is stored meanwhile therefore waits behind one chunk at most.
  private func write(
    _ mebibytes: Int, to descriptor: Int32, _ stop: Stop
  ) throws(Failure) -> Duration {
    let start = clock.now
    for index in 0..<mebibytes where !stop.isWanted {
      try write(Self.bytes(of: index), to: descriptor, at: Int64(index) << 20)
      guard fsync(descriptor) == 0 else {
        throw Failure(deed: "cannot be brought to stable storage", number: errno)
      }
    }
    return start.duration(to: clock.now)
  }

  private func measureSync(_ descriptor: Int32, at offset: Int64) throws(Failure) -> Duration {
    var times: [Duration] = []
    for index in 0..<Self.syncs {
      try write(Array(Self.bytes(of: index).prefix(4096)), to: descriptor, at: offset)
      let start = clock.now
      guard fsync(descriptor) == 0 else {
        throw Failure(deed: "cannot be brought to stable storage", number: errno)
      }
      times.append(start.duration(to: clock.now))
    }
    return times.sorted()[Self.syncs / 2]
  }

  private func write(
    _ bytes: [UInt8], to descriptor: Int32, at offset: Int64
  ) throws(Failure) {
    do throws(SystemError) {
      guard lseek(descriptor, off_t(offset), SEEK_SET) >= 0 else { throw SystemError.last }
      try SystemCalls.write(bytes[...], to: descriptor)
    } catch {
      throw Failure(deed: "cannot be written", number: error.number)
    }
  }

  /// Reads the whole file, from the disk as far as the file system drops its cache.
  private func readBack(
    _ mebibytes: Int, from descriptor: Int32, _ stop: Stop
  ) throws(Failure) -> Duration {
    _ = posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED)
    var reading = Duration.zero
    var buffer = [UInt8](repeating: 0, count: Self.chunk)
    for index in 0..<mebibytes where !stop.isWanted {
      let start = clock.now
      let count = try? SystemCalls.uninterrupted {
        pread(descriptor, &buffer, Self.chunk, off_t(index) << 20)
      }
      guard count == Self.chunk else {
        throw Failure(deed: "cannot be read", number: count == nil ? errno : 0)
      }
      reading += start.duration(to: clock.now)
      guard buffer == Self.bytes(of: index) else {
        throw Failure(deed: "came back with other bytes", number: 0)
      }
    }
    return reading
  }

  /// Returns a MiB that differs for each index and hardly compresses.
  private static func bytes(of index: Int) -> [UInt8] {
    var state = UInt64(index) &* 0x9E37_79B9_7F4A_7C15 | 1
    var bytes: [UInt8] = []
    bytes.reserveCapacity(chunk)
    while bytes.count < chunk {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      withUnsafeBytes(of: state) { bytes.append(contentsOf: $0) }
    }
    return bytes
  }
}
