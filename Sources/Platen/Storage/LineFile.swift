internal import CFileCalls
import Devices
// With optimisation the compiler takes `stat` for this module's.
import CDispatch
import Foundation

/// A file to which lines are added at the end, each on stable storage when the call returns.
///
/// A line that is not whole, because the power was cut, is cut off when the file is opened. Room for
/// the file is set aside on the disk at once, so that a disk that others fill leaves it its own.
///
/// Its calls block on the disk; they are for an executor of one's own.
struct LineFile: ~Copyable {
  /// The file's path.
  let path: String
  /// The file's length in bytes, whole lines.
  private(set) var length: Int64
  /// Whether what is on the disk is not known any more, because a call to get it there failed; the
  /// file takes nothing more then.
  private(set) var isBroken = false
  /// Whether no room could be set aside for the file because the disk is full.
  private(set) var isShortOfRoom: Bool
  /// What was cut off when the file was opened, in bytes.
  let repairedBytes: Int64
  private let room: Int64
  private let descriptor: Int32
  private let synchronize: @Sendable (Int32) -> Int32
  private let reserve: @Sendable (Int32, Int64) -> Int32

  /// Sets room aside on the disk for a file, whose length stays (`fallocate`).
  ///
  /// - Returns: 0, or -1 with `errno`.
  static let allocate: @Sendable (_ descriptor: Int32, _ bytes: Int64) -> Int32 = {
    CFileCalls_reserve($0, $1)
  }

  /// Opens a file, or makes it.
  ///
  /// - Parameters:
  ///   - room: the bytes that are set aside for it; as many may be there already.
  ///   - synchronize: brings what was written to stable storage; `fdatasync`, but in tests.
  ///   - reserve: sets the room aside; ``allocate``, but in tests.
  /// - Throws: `DeviceError`, code `inputOutput`, also when it is no regular file, or larger than
  ///   there is room; `outOfMemory` when memory or descriptors are short, `diskFull` when the disk
  ///   is.
  init(
    directory: String, name: String, room: Int64,
    synchronize: @escaping @Sendable (Int32) -> Int32 = { fdatasync($0) },
    reserve: @escaping @Sendable (Int32, Int64) -> Int32 = LineFile.allocate
  ) throws(DeviceError) {
    let path = directory + "/" + name
    let flags = O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
    let descriptor = open(path, flags, 0o640)
    guard descriptor >= 0 else { throw Self.failure(path, "cannot be opened") }
    // Nothing of the value is set before all has gone well: else it would close the file, too.
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

  /// Whether somebody removed the file, so that nobody would find what is added.
  var isRemoved: Bool {
    var status = stat()
    return fstat(descriptor, &status) != 0 || status.st_nlink == 0
  }

  /// Tries once more to set room aside, after something else has made way.
  mutating func setRoomAside() { isShortOfRoom = Self.isRefused(reserve(descriptor, room)) }

  /// Whether the disk was too full for what was to be set aside.
  ///
  /// Where the file system cannot, the room is there or not when it is needed.
  private static func isRefused(_ result: Int32) -> Bool {
    result != 0 && [ENOSPC, EDQUOT].contains(errno)
  }

  /// Adds a line; on return it is on stable storage (`write`, `fdatasync`).
  ///
  /// - Throws: `DeviceError`, code `inputOutput` or `diskFull`; nothing of the line is in the file
  ///   then, unless ``isBroken``. A failed `fdatasync` is not tried again: the kernel may say the
  ///   second time that all is well, and it is not.
  mutating func append(_ line: [UInt8]) throws(DeviceError) {
    guard !isBroken else {
      throw DeviceError(
        .inputOutput, device: path, problem: "cannot be written", cause: "it is broken")
    }
    var written = 0
    while written < line.count {
      let count = line[written...].withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        let failure = Self.failure(path, "cannot be written")
        if ftruncate(descriptor, off_t(length)) != 0 { isBroken = true }
        throw failure
      }
      written += count
    }
    guard synchronize(descriptor) == 0 else {
      isBroken = true
      throw Self.failure(path, "cannot be written")
    }
    length += Int64(line.count)
  }

  /// Cuts off what is no whole line.
  private static func repair(
    _ descriptor: Int32, _ path: String, room: Int64
  ) throws(DeviceError) -> (whole: Int64, torn: Int64) {
    // What is no file of data has no place to go to.
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
      let count = pread(descriptor, &buffer, end - start, off_t(start))
      if count < 0, errno == EINTR { continue }
      guard count == end - start else { throw failure(path, "cannot be read") }
      if let index = buffer[..<count].lastIndex(of: UInt8(ascii: "\n")) {
        return Int64(start + index + 1)
      }
      end = start
    }
    return 0
  }

  /// What the last call of the system said.
  private static func failure(_ path: String, _ problem: String) -> DeviceError {
    let number = errno
    // The file is as sound as before when this process or the machine is short of something.
    let code: DeviceError.Code =
      switch number {
      case EMFILE, ENFILE, ENOMEM, EINTR: .outOfMemory
      case ENOSPC, EDQUOT: .diskFull
      default: .inputOutput
      }
    return DeviceError(
      code, device: path, problem: problem, cause: String(cString: strerror(number)))
  }
}

extension DeviceError.Code {
  /// The disk is full.
  static let diskFull = Self(rawValue: "diskFull")
}
