internal import CFileCalls
import Devices
// With optimization, the compiler takes `stat` for this module's function.
import CDispatch
import Foundation
import RigConfiguration

/// A file to which lines are added at the end, each on stable storage when the call returns.
///
/// A power cut may leave a partial last line, which is removed when the file is opened. Space for
/// the file is reserved on the disk at once, so that other files cannot take it.
///
/// The calls block on the disk and belong on a separate executor.
struct LineFile: ~Copyable {
  /// The file's path.
  let path: String
  /// The file's length in bytes, in whole lines.
  private(set) var length: Int64
  /// Whether the contents on the disk are unknown after a failed call; no more lines are accepted.
  private(set) var isBroken = false
  /// Whether no space could be reserved because the disk is full.
  private(set) var isShortOfRoom: Bool
  /// The number of bytes that were removed when the file was opened.
  let repairedBytes: Int64
  private let room: Int64
  private let descriptor: Int32
  private let synchronize: @Sendable (Int32) -> Int32
  private let reserve: @Sendable (Int32, Int64) -> Int32

  /// Reserves space on the disk for a file, whose length stays the same (`fallocate`).
  ///
  /// - Returns: 0, or -1 with `errno`.
  static let allocate: @Sendable (_ descriptor: Int32, _ bytes: Int64) -> Int32 = {
    CFileCalls_reserve($0, $1)
  }

  /// Opens or makes a file.
  ///
  /// - Parameters:
  ///   - room: the number of reserved bytes, which is also the maximum length of an existing file.
  ///   - synchronize: the function that syncs to stable storage; `fdatasync` outside tests.
  ///   - reserve: the function that reserves the space; ``allocate`` outside tests.
  /// - Throws: `DeviceError`, code `inputOutput`, also for a file that is not regular or has more
  ///   than `room` bytes; `outOfMemory` without memory or descriptors, `diskFull` on a full disk.
  init(
    directory: String, name: String, room: Int64,
    synchronize: @escaping @Sendable (Int32) -> Int32 = { fdatasync($0) },
    reserve: @escaping @Sendable (Int32, Int64) -> Int32 = LineFile.allocate
  ) throws(DeviceError) {
    let path = directory + "/" + name
    let flags = O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
    let descriptor = open(path, flags, 0o640)
    guard descriptor >= 0 else { throw Self.failure(path, "cannot be opened") }
    // No property is set before all has succeeded: otherwise `deinit` would close the file as well.
    let bytes: (whole: Int64, torn: Int64)
    let isShort: Bool
    do throws(DeviceError) {
      bytes = try Self.repair(descriptor, path, room: room)
      isShort = Self.isRefused(reserve(descriptor, room))
      guard fsync(descriptor) == 0 else { throw Self.failure(path, "cannot be opened") }
      try DurableFile(directory: directory, name: name).synchronizeDirectory()
    } catch {
      close(descriptor)
      throw error
    }
    self.path = path
    self.descriptor = descriptor
    self.synchronize = synchronize
    self.reserve = reserve
    self.room = room
    isShortOfRoom = isShort
    length = bytes.whole
    repairedBytes = bytes.torn
  }

  deinit { close(descriptor) }

  /// Whether another program removed the file, so that added lines would be lost.
  var isRemoved: Bool {
    var status = stat()
    return fstat(descriptor, &status) != 0 || status.st_nlink == 0
  }

  /// Tries once more to reserve space, after other files have been removed.
  mutating func setRoomAside() { isShortOfRoom = Self.isRefused(reserve(descriptor, room)) }

  /// Returns whether the disk was too full for the reservation.
  ///
  /// A file system may be unable to reserve space; then the lack of space shows at a write.
  private static func isRefused(_ result: Int32) -> Bool {
    result != 0 && [ENOSPC, EDQUOT].contains(errno)
  }

  /// Adds a line, which is on stable storage on return (`write`, `fdatasync`).
  ///
  /// - Throws: `DeviceError`, code `inputOutput` or `diskFull`. The file then has no part of the
  ///   line, unless ``isBroken``. A failed `fdatasync` is not retried: the kernel may report
  ///   success the second time, although data are lost.
  mutating func append(_ line: [UInt8]) throws(DeviceError) {
    guard !isBroken else {
      throw DeviceError(
        .inputOutput, device: path, problem: "cannot be written", cause: "it is broken")
    }
    do throws(SystemError) {
      try SystemCalls.write(line[...], to: descriptor)
    } catch {
      if ftruncate(descriptor, off_t(length)) != 0 { isBroken = true }
      throw Self.failure(path, "cannot be written", error)
    }
    guard synchronize(descriptor) == 0 else {
      isBroken = true
      throw Self.failure(path, "cannot be written")
    }
    length += Int64(line.count)
  }

  /// Removes a partial last line.
  private static func repair(
    _ descriptor: Int32, _ path: String, room: Int64
  ) throws(DeviceError) -> (whole: Int64, torn: Int64) {
    // A file without a size, such as a pipe, cannot seek.
    let size = lseek(descriptor, 0, SEEK_END)
    guard size >= 0 else { throw failure(path, "cannot be opened") }
    guard size <= room else {
      throw DeviceError(
        .inputOutput, device: path, problem: "cannot be added to",
        cause: "it has more than \(room) bytes")
    }
    let whole = try wholeBytes(descriptor, path, bytes: size)
    let torn = Int64(size) - whole
    guard torn == 0 || ftruncate(descriptor, off_t(whole)) == 0 else {
      throw failure(path, "cannot be repaired")
    }
    return (whole, torn)
  }

  private static func wholeBytes(
    _ descriptor: Int32, _ path: String, bytes: Int
  ) throws(DeviceError) -> Int64 {
    var end = bytes
    var buffer = [UInt8](repeating: 0, count: 4096)
    while end > 0 {
      let start = max(0, end - buffer.count)
      let count = try? SystemCalls.uninterrupted {
        pread(descriptor, &buffer, end - start, off_t(start))
      }
      guard let count, count == end - start else { throw failure(path, "cannot be read") }
      if let index = buffer[..<count].lastIndex(of: UInt8(ascii: "\n")) {
        return Int64(start + index + 1)
      }
      end = start
    }
    return 0
  }

  /// Returns the error of a system call.
  private static func failure(
    _ path: String, _ problem: String, _ error: SystemError = .last
  ) -> DeviceError {
    // A lack of resources of this process or the machine does not affect the file.
    let code: DeviceError.Code =
      switch error.number {
      case EINTR: .outOfMemory
      case _ where error.isResourceShortage: .outOfMemory
      case ENOSPC, EDQUOT: .diskFull
      default: .inputOutput
      }
    return DeviceError(code, device: path, problem: problem, cause: error.description)
  }
}

extension DeviceError.Code {
  /// The disk is full.
  static let diskFull = Self(rawValue: "diskFull")
}
