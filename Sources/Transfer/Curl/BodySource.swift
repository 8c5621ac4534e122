import Devices
import Glibc

/// The bytes of one part of a request's body, from memory or from an open file, with a position.
struct BodySource: ~Copyable {
  /// The number of bytes when the transfer began; `nil` when the request has no body.
  let byteCount: Int64?
  private let content: [UInt8]
  private let descriptor: Int32
  /// The body's offset in the file.
  private let start: Int64
  private var position: Int64 = 0

  /// Opens a body.
  ///
  /// - Throws: ``ReadFailure`` when a file cannot be opened or is not a regular file.
  init(_ body: HTTPBody) throws(ReadFailure) {
    switch body {
    case .none:
      byteCount = nil
      content = []
      descriptor = -1
      start = 0
    case .bytes(let bytes):
      byteCount = Int64(bytes.count)
      content = bytes
      descriptor = -1
      start = 0
    case .file(let path):
      (descriptor, byteCount) = try Self.openRegularFile(path)
      content = []
      start = 0
    case .fileRange(let path, let offset, let count):
      let (opened, size) = try Self.openRegularFile(path)
      guard offset >= 0, count >= 0, offset <= size, count <= size - offset else {
        close(opened)
        throw ReadFailure(
          path: path, cause: "it has \(size) bytes and not \(count) from byte \(offset) on")
      }
      descriptor = opened
      byteCount = count
      content = []
      start = offset
    case .parts:
      preconditionFailure("BodySequence takes parts apart")
    }
  }

  private static func openRegularFile(
    _ path: String
  ) throws(ReadFailure) -> (descriptor: Int32, byteCount: Int64) {
    let opened = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard opened >= 0 else { throw ReadFailure(path: path, number: errno) }
    var status = stat()
    guard fstat(opened, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(opened)
      throw ReadFailure(path: path, cause: "it is not a regular file")
    }
    return (opened, Int64(status.st_size))
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  /// Copies the next bytes, as many as fit; returns their number, 0 at the end.
  ///
  /// - Throws: ``ReadFailure`` when the file cannot be read or has become shorter.
  mutating func read(into buffer: UnsafeMutableRawBufferPointer) throws(ReadFailure) -> Int {
    let remaining = (byteCount ?? 0) - position
    let wanted = Int(min(Int64(buffer.count), remaining))
    guard wanted > 0 else { return 0 }
    let count: Int
    if descriptor < 0 {
      let first = Int(position)
      buffer.copyBytes(from: content[first..<first + wanted])
      count = wanted
    } else {
      count = pread(descriptor, buffer.baseAddress, wanted, off_t(start + position))
      guard count >= 0 else { throw ReadFailure(path: nil, number: errno) }
      guard count > 0 else {
        throw ReadFailure(
          path: nil, cause: "it is \(remaining) bytes shorter than when it was opened")
      }
    }
    position += Int64(count)
    return count
  }

  /// Moves to a byte, as libcurl requires before resending a body; `false` for an invalid offset.
  mutating func seek(to offset: Int64) -> Bool {
    guard let byteCount, (0...byteCount).contains(offset) else { return false }
    position = offset
    return true
  }
}

/// The reason why a body cannot be read.
struct ReadFailure: Error {
  /// The file's path, if known.
  var path: String?
  /// The cause in words, for a failed call the system's message.
  var cause: String
  /// The kind of failure that the reason causes.
  var code = TransferError.Code.fileUnreadable
}

extension ReadFailure {
  /// Makes the reason of a failed system call with its `errno`.
  init(path: String?, number: Int32) {
    let error = SystemError(number)
    self.init(path: path, cause: error.description)
    if error.isResourceShortage { code = .shortOfResources }
  }
}
