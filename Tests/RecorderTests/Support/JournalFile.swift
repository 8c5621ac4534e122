import Devices
import Dispatch
import Glibc
import Recorder
import RecorderProgram
import Synchronization

/// A movie's file in memory that keeps each call, and fails as it is told.
final class JournalFile: MovieFile {
  /// A call, or a mark that was reported in between.
  enum Entry: Sendable {
    case write(position: Int, bytes: [UInt8])
    case synchronizationBegan
    case synchronized
    case truncated(Int)
    case mark(RecorderMark)
  }

  private struct State {
    var entries: [Entry] = []
    var bytes: [UInt8] = []
    var synchronizationCount = 0
  }

  private let state = Mutex(State())
  private let capacity: Int
  private let badBlock: Range<Int>
  private let lastSynchronization: Int
  private let gate: DispatchSemaphore?

  /// Makes an empty file.
  ///
  /// - Parameters:
  ///   - capacity: the length from which on writing fails with `ENOSPC`.
  ///   - badBlock: the bytes that cannot be read, which fails with `EIO`.
  ///   - lastSynchronization: the number of synchronizations after which they fail with `EIO`.
  ///   - gate: a semaphore that each synchronization waits for; `nil` for a fast disk.
  init(
    capacity: Int = .max, badBlock: Range<Int> = 0..<0, lastSynchronization: Int = .max,
    gate: DispatchSemaphore? = nil
  ) {
    self.badBlock = badBlock
    self.gate = gate
    self.capacity = capacity
    self.lastSynchronization = lastSynchronization
  }

  var entries: [Entry] { state.withLock { $0.entries } }
  var bytes: [UInt8] { state.withLock { $0.bytes } }
  var synchronizationCount: Int { state.withLock { $0.synchronizationCount } }

  var marks: [RecorderMark] {
    entries.compactMap { if case .mark(let mark) = $0 { mark } else { nil } }
  }

  /// Whether a fragment was written, which is first one to be skipped.
  var hasFragment: Bool {
    entries.contains { entry in
      guard case .write(_, let bytes) = entry else { return false }
      return bytes.dropFirst(4).prefix(4).elementsEqual("free".utf8)
    }
  }

  /// Writes bytes at the file's beginning.
  func put(_ bytes: [UInt8]) throws(SystemError) {
    let written = bytes.withUnsafeBytes { bytes in
      Result { () throws(SystemError) in try write(bytes, at: 0) }
    }
    try written.get()
  }

  func note(_ mark: RecorderMark) {
    state.withLock { $0.entries.append(.mark(mark)) }
  }

  func write(_ bytes: UnsafeRawBufferPointer, at position: Int64) throws(SystemError) {
    let written = Array(bytes)
    let position = Int(position)
    let fits = state.withLock { state in
      let part = Array(written.prefix(max(0, capacity - position)))
      state.entries.append(.write(position: position, bytes: part))
      state.bytes.put(part, at: position)
      return part.count == written.count
    }
    guard fits else { throw SystemError(ENOSPC) }
  }

  func read(_ bytes: UnsafeMutableRawBufferPointer, at position: Int64) throws(SystemError) -> Int {
    guard !badBlock.contains(Int(position)) else { throw SystemError(EIO) }
    let end = position < badBlock.lowerBound ? badBlock.lowerBound : .max
    return state.withLock { state in
      let rest = state.bytes.prefix(end).dropFirst(Int(position)).prefix(bytes.count)
      bytes.copyBytes(from: rest)
      return rest.count
    }
  }

  func synchronize() throws(SystemError) {
    gate?.wait()
    let isDone = state.withLock { state in
      state.synchronizationCount += 1
      state.entries.append(.synchronizationBegan)
      guard state.synchronizationCount <= lastSynchronization else { return false }
      state.entries.append(.synchronized)
      return true
    }
    guard isDone else { throw SystemError(EIO) }
  }

  func truncate(to length: Int64) throws(SystemError) {
    state.withLock { state in
      state.entries.append(.truncated(Int(length)))
      state.bytes.removeLast(max(0, state.bytes.count - Int(length)))
    }
  }
}

extension [UInt8] {
  /// Writes bytes at a position, behind zeros where the array is shorter.
  mutating func put(_ bytes: [UInt8], at position: Int) {
    let end = position + bytes.count
    if count < end { append(contentsOf: repeatElement(0, count: end - count)) }
    replaceSubrange(position..<end, with: bytes)
  }
}
