import Foundation

/// The promises to and by the workload, in the order of the disk's own writes.
///
/// Each mark is written past the page cache (`O_DIRECT`) to a disk behind the file system, without
/// a flush. The recording then shows which writes and flushes came before the promise. The mark
/// itself forces nothing to the disk.
final class PromiseMarks {
  /// The kinds of promises.
  enum Mark: Codable {
    /// The call of `store` has returned for the picture of a press.
    case stored(id: String, sha256: String, press: Int64)
    /// The ledger has a press that was refused.
    case refused(press: Int64, reason: String)
    /// The server has the item; its receipt is about to be committed.
    case received(id: String)
    /// The call of `complete` has returned.
    case done(id: String)
    /// The stored picture is a proxy with its source.
    case proxy(id: String)
    /// The final picture is about to replace the proxy.
    case finishing(id: String, sha256: String)
    /// The proxy is about to be kept as the final picture.
    case keeping(id: String)
    /// The recording's recorder has forced so many bytes to the disk, up to the end of a fragment.
    case recorded(id: String, bytes: Int64, press: Int64)
    /// The recording is about to be removed.
    case discarding(id: String)
    /// The item is set aside until a person requests it.
    case parked(id: String)
    /// The item waits again.
    case retried(id: String)
    /// All press numbers below this one have been reserved.
    case numbers(below: Int64)
    /// The index is about to be removed; pictures done earlier may be found and delivered again.
    case indexLost
    /// The workload has come to its end.
    case end
  }

  /// The length of a mark, a sector of any disk.
  static let byteCount = 4096

  /// The flag `O_DIRECT` of `fcntl.h`, which Swift does not import.
  #if arch(arm64)
    private static let direct: Int32 = 0o200000
  #else
    private static let direct: Int32 = 0o40000
  #endif

  private let descriptor: Int32
  private let path: String
  private var offset: Int
  private let buffer: UnsafeMutableRawPointer

  /// Opens the place of the marks.
  ///
  /// - Parameters:
  ///   - path: the block device.
  ///   - offset: the place of the first mark, a multiple of 4096 bytes.
  init(path: String, offset: Int) throws {
    descriptor = open(path, O_WRONLY | Self.direct | O_CLOEXEC)
    guard descriptor >= 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    self.path = path
    self.offset = offset
    buffer = UnsafeMutableRawPointer.allocate(
      byteCount: Self.byteCount, alignment: Self.byteCount)
  }

  deinit {
    close(descriptor)
    buffer.deallocate()
  }

  /// Writes a mark; on return, the disk has received it.
  func write(_ mark: Mark) throws {
    let text = try JSONEncoder().encode(mark)
    buffer.initializeMemory(as: UInt8.self, repeating: 0, count: Self.byteCount)
    text.prefix(Self.byteCount).withUnsafeBytes {
      buffer.copyMemory(from: $0.baseAddress ?? UnsafeRawPointer(buffer), byteCount: $0.count)
    }
    guard pwrite(descriptor, buffer, Self.byteCount, offset) == Self.byteCount else {
      throw POSIXError(.init(rawValue: errno) ?? .EIO)
    }
    offset += Self.byteCount
  }
}
