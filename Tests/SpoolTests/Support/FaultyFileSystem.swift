import Foundation
import Glibc
import Synchronization
import TestSupport

@testable import Spool

/// The kernel's file system with a journal, faults, and an end at a chosen step.
final class FaultyFileSystem: FileSystem {
  /// A call that changes something, as the journal notes it.
  enum Step: Hashable, CustomStringConvertible {
    case create(String), write(String), sync(String), rename(String, String), unlink(String)
    case link(String, String), truncate(String), dropPages(String)
    /// The calls that change nothing, which are not in the journal.
    case openDirectory(String), read(String), list(String), prune
    case syncAll(String), makeDirectory(String), allocate(String), willCommit(Commit), didCommit(
      Commit)

    /// The call, with the last part of its path.
    var description: String {
      func name(_ path: String) -> String { String(path.split(separator: "/").last ?? "") }
      return switch self {
      case .create(let path): "create \(name(path))"
      case .write(let path): "write \(name(path))"
      case .sync(let path): "sync \(name(path))"
      case .rename(let old, let new): "rename \(name(old)) \(name(new))"
      case .truncate(let path): "truncate \(name(path))"
      case .dropPages(let path): "drop \(name(path))"
      case .link(let old, let new): "link \(name(old)) \(name(new))"
      case .unlink(let path): "unlink \(name(path))"
      case .read(let path): "read \(name(path))"
      case .prune: "prune"
      case .list(let path): "list \(name(path))"
      case .openDirectory(let path): "open \(name(path))"
      case .syncAll(let path): "sync all of \(name(path))"
      case .makeDirectory(let path): "mkdir \(name(path))"
      case .allocate(let path): "allocate \(name(path))"
      case .willCommit(let commit): "will \(commit)"
      case .didCommit(let commit): "did \(commit)"
      }
    }
  }

  /// The way in which the machine stops.
  enum Crash: CaseIterable {
    /// The process is killed: everything written so far is there.
    case kill
    /// The power is cut: see ``DiskModel``; a commit under way may be torn.
    case powerCut
  }

  /// A call that claims success and does nothing, to see that the harness notices.
  enum Lie: Hashable, CaseIterable {
    case fileSync, directorySync
    /// The sync of only the directories of pictures, of `items`, or of the quarantine.
    case shardSync, itemsSync, quarantineSync

    func covers(_ path: String, in root: String) -> Bool {
      let parts = path.dropFirst(root.count).split(separator: "/")
      return switch self {
      case .fileSync: !isDirectory(path)
      case .directorySync: isDirectory(path)
      case .shardSync: isDirectory(path) && parts.count == 2 && parts[0] == "items"
      case .itemsSync: parts == ["items"]
      case .quarantineSync: parts == ["quarantine"]
      }
    }
  }

  private struct State {
    var journal: [Step] = []
    var disk: DiskModel
    var random: SeededGenerator
    var hasCrashed = false
    var logLength = 0
    var writeCalls = 0
    var largestRead = 0
    var looks = 0
    /// The place of the next write of a descriptor that was moved; others write at the end.
    var places: [Int32: Int] = [:]
  }

  let root: String
  private let sources: String?
  private let crashAt: Int?
  private let stop: Trigger
  private let crash: Crash
  private let survivor: String
  private let lies: Set<Lie>
  private let fault: @Sendable (Step) -> Int32?
  private let writeLimit: @Sendable (Int) -> Int?
  private let freeRoom: Mutex<FileSystemRoom?> = Mutex(nil)
  private let state: Mutex<State>
  private let kernel = KernelFileSystem()

  /// Makes a layer over `root`.
  ///
  /// - Parameters:
  ///   - sources: a directory outside the spool whose remains are put into ``sourcesSurvivor``.
  ///   - crashAt: the step before which the machine stops; its remains are put into `survivor`.
  ///   - stop: the trigger that, while armed, stops the machine before the next step.
  ///   - fault: a closure that returns the `errno` for a call that is to fail.
  ///   - writeLimit: the number of bytes that the n-th `write` takes; `nil` for `EINTR`.
  init(
    root: String, sources: String? = nil, crashAt: Int? = nil, crash: Crash = .kill,
    survivor: String = "",
    seed: UInt64 = 0,
    lies: Set<Lie> = [], stop: Trigger = Trigger(),
    fault: @escaping @Sendable (Step) -> Int32? = { _ in nil },
    writeLimit: @escaping @Sendable (Int) -> Int? = { _ in .max }
  ) {
    self.root = root
    self.sources = sources
    self.crashAt = crashAt
    self.stop = stop
    self.crash = crash
    self.survivor = survivor
    self.lies = lies
    self.fault = fault
    self.writeLimit = writeLimit
    state = Mutex(
      State(
        disk: DiskModel(importing: [root] + (sources.map { [$0] } ?? [])),
        random: SeededGenerator(seed: seed)))
  }

  var journal: [Step] { state.withLock(\.journal) }
  var hasCrashed: Bool { state.withLock(\.hasCrashed) }
  /// The largest number of bytes that a read has asked for.
  var largestRead: Int { state.withLock(\.largestRead) }
  /// The number of times that a path was looked up or a directory listed.
  var looks: Int { state.withLock(\.looks) }
  var sourcesSurvivor: String { survivor + "-sources" }

  /// Sets the room that the file system reports from now on.
  func setRoom(_ room: FileSystemRoom?) { freeRoom.withLock { $0 = room } }

  /// Damages a file on the medium.
  func damage(_ path: String) throws {
    let bytes = Array("damaged".utf8)
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    state.withLock { $0.disk.damage(path, bytes) }
  }

  /// Writes a file as another program does that forces nothing to the disk.
  func writeVolatile(_ path: String, _ bytes: [UInt8]) throws {
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    state.withLock { state in
      state.disk.create(path)
      state.disk.write(path, bytes)
    }
  }

  /// Notes a step, and fails it if it is to fail or if the machine has stopped.
  private func step(
    _ step: Step, _ call: FileSystemError.Call, _ path: String
  ) throws(FileSystemError) {
    let number: Int32? = state.withLock { state in
      if !state.hasCrashed, state.journal.count == crashAt || stop.isArmed {
        if case .write(let path) = step { writeHalf(path, &state) }
        halt(step, &state)
      }
      if state.hasCrashed { return EIO }
      state.journal.append(step)
      if case .willCommit = step { state.logLength = logLength() }
      return fault(step)
    }
    if let number { throw FileSystemError(call, path, number: number) }
  }

  private func writeHalf(_ path: String, _ state: inout State) {
    guard let file = FileHandle(forWritingAtPath: path) else { return }
    file.seekToEndOfFile()
    file.write(Data([1, 2, 3]))
    state.disk.write(path, [1, 2, 3])
  }

  private func logLength() -> Int {
    let attributes = try? FileManager.default.attributesOfItem(atPath: root + "/queue.db-wal")
    return (attributes?[.size] as? Int) ?? 0
  }

  /// Keeps the files that the machine leaves behind.
  private func halt(_ step: Step, _ state: inout State) {
    state.hasCrashed = true
    do {
      let manager = FileManager.default
      if let sources { try keep(sources, &state) }
      guard manager.fileExists(atPath: root) else { return }
      switch crash {
      case .kill:
        try manager.copyItem(atPath: root, toPath: survivor)
      case .powerCut:
        try manager.createDirectory(atPath: survivor, withIntermediateDirectories: true)
        let isDatabase = { (path: String) in path.hasPrefix(self.root + "/queue.db") }
        let isThere = try state.disk.materialize(
          from: root, to: survivor, skipping: isDatabase, using: &state.random)
        guard isThere else { return }
        for name in try manager.contentsOfDirectory(atPath: root) where name.hasPrefix("queue.db") {
          try manager.copyItem(atPath: root + "/" + name, toPath: survivor + "/" + name)
        }
        if case .didCommit = step { tearCommit(&state) }
      }
    } catch {
      preconditionFailure("the survivor cannot be made: \(error)")
    }
  }

  /// Keeps the files outside the spool.
  private func keep(_ sources: String, _ state: inout State) throws {
    switch crash {
    case .kill:
      try FileManager.default.copyItem(atPath: sources, toPath: sourcesSurvivor)
    case .powerCut:
      try FileManager.default.createDirectory(
        atPath: sourcesSurvivor, withIntermediateDirectories: true)
      _ = try state.disk.materialize(
        from: sources, to: sourcesSurvivor, skipping: { _ in false }, using: &state.random)
    }
  }

  /// Cuts the log somewhere in the commit that was just being written, or leaves it whole.
  private func tearCommit(_ state: inout State) {
    let end = logLength()
    guard end > state.logLength, Bool.random(using: &state.random) else { return }
    let cut = Int.random(in: state.logLength..<end, using: &state.random)
    Glibc.truncate(survivor + "/queue.db-wal", off_t(cut))
  }

  func open(_ path: String, flags: Int32, mode: UInt32) throws(FileSystemError) -> Int32 {
    let isNew = flags & O_CREAT != 0 && access(path, F_OK) != 0
    if isNew { try step(.create(path), .open, path) }
    if flags & O_DIRECTORY != 0, let number = fault(.openDirectory(path)) {
      throw FileSystemError(.open, path, number: number)
    }
    let descriptor = try kernel.open(path, flags: flags, mode: mode)
    if isNew { state.withLock { $0.disk.create(path) } }
    return descriptor
  }

  func write(_ descriptor: Int32, _ bytes: RawSpan, path: String) throws(FileSystemError) -> Int {
    try step(.write(path), .write, path)
    let call = state.withLock { state in
      state.writeCalls += 1
      return state.writeCalls
    }
    guard let limit = writeLimit(call) else { throw FileSystemError(.write, path, number: EINTR) }
    let part = bytes.extracting(first: min(limit, bytes.byteCount))
    let count = try kernel.write(descriptor, part, path: path)
    let written = part.withUnsafeBytes { Array($0.prefix(count)) }
    state.withLock { state in
      state.disk.write(path, written, at: state.places[descriptor])
      if let place = state.places[descriptor] { state.places[descriptor] = place + count }
    }
    return count
  }

  func seek(_ descriptor: Int32, to offset: Int64, path: String) throws(FileSystemError) {
    try kernel.seek(descriptor, to: offset, path: path)
    state.withLock { $0.places[descriptor] = Int(offset) }
  }

  func truncate(_ descriptor: Int32, to bytes: Int64, path: String) throws(FileSystemError) {
    try step(.truncate(path), .truncate, path)
    try kernel.truncate(descriptor, to: bytes, path: path)
    state.withLock { $0.disk.truncate(path, to: Int(bytes)) }
  }

  func read(
    _ descriptor: Int32, into buffer: inout [UInt8], path: String
  ) throws(FileSystemError) -> Int {
    let length = buffer.count
    state.withLock { $0.largestRead = max($0.largestRead, length) }
    if let number = fault(.read(path)) { throw FileSystemError(.read, path, number: number) }
    return try kernel.read(descriptor, into: &buffer, path: path)
  }

  func sync(_ descriptor: Int32, path: String) throws(FileSystemError) {
    do throws(FileSystemError) {
      try step(.sync(path), .sync, path)
    } catch {
      state.withLock { $0.disk.lose(path) }
      throw error
    }
    if lies.contains(where: { $0.covers(path, in: root) }) { return }
    try kernel.sync(descriptor, path: path)
    state.withLock { $0.disk.sync(path) }
  }

  /// Drops a file's pages; pages that a failed `sync` has lost are zeros then, as on the disk.
  func dropPages(_ descriptor: Int32, path: String) throws(FileSystemError) {
    try step(.dropPages(path), .dropPages, path)
    try kernel.dropPages(descriptor, path: path)
    guard let lost = state.withLock({ $0.disk.drop(path) }) else { return }
    let zeros = [UInt8](repeating: 0, count: lost.count)
    guard pwrite(descriptor, zeros, zeros.count, off_t(lost.lowerBound)) == zeros.count else {
      throw FileSystemError(.dropPages, path)
    }
  }

  func syncFileSystem(_ directory: String) throws(FileSystemError) {
    try step(.syncAll(directory), .sync, directory)
    if lies.contains(.fileSync) { return }
    try kernel.syncFileSystem(directory)
    state.withLock { $0.disk.syncAll() }
  }

  func allocate(_ descriptor: Int32, bytes: Int64, path: String) throws(FileSystemError) {
    try step(.allocate(path), .allocate, path)
    try kernel.allocate(descriptor, bytes: bytes, path: path)
    state.withLock { $0.disk.write(path, [UInt8](repeating: 0, count: Int(bytes))) }
  }

  func lock(_ descriptor: Int32, path: String) throws(FileSystemError) {
    try kernel.lock(descriptor, path: path)
  }

  func unlock(_ descriptor: Int32) { kernel.unlock(descriptor) }

  func close(_ descriptor: Int32) {
    state.withLock { $0.places[descriptor] = nil }
    kernel.close(descriptor)
  }

  func rename(_ path: String, to newPath: String) throws(FileSystemError) {
    try step(.rename(path, newPath), .rename, path)
    try kernel.rename(path, to: newPath)
    state.withLock { $0.disk.rename(path, to: newPath) }
  }

  func link(_ path: String, to newPath: String) throws(FileSystemError) {
    try step(.link(path, newPath), .link, path)
    try kernel.link(path, to: newPath)
    state.withLock { $0.disk.link(path, to: newPath) }
  }

  func unlink(_ path: String) throws(FileSystemError) {
    try step(.unlink(path), .unlink, path)
    try kernel.unlink(path)
    state.withLock { $0.disk.unlink(path) }
  }

  /// Makes a directory; directories in a row are one step, so that a replay stops before them once.
  func makeDirectory(_ path: String, mode: UInt32) throws(FileSystemError) {
    let isInRow = state.withLock { state in
      guard !state.hasCrashed, case .makeDirectory(let last)? = state.journal.last else {
        return false
      }
      return DiskModel.parent(last) == DiskModel.parent(path)
    }
    if !isInRow {
      try step(.makeDirectory(path), .makeDirectory, path)
    } else if let number = fault(.makeDirectory(path)) {
      throw FileSystemError(.makeDirectory, path, number: number)
    }
    try kernel.makeDirectory(path, mode: mode)
    state.withLock { $0.disk.makeDirectory(path) }
  }

  func status(_ path: String) throws(FileSystemError) -> FileStatus? {
    state.withLock { $0.looks += 1 }
    return try kernel.status(path)
  }

  func status(of descriptor: Int32, path: String) throws(FileSystemError) -> FileStatus {
    try kernel.status(of: descriptor, path: path)
  }

  func list(_ path: String) throws(FileSystemError) -> [String] {
    state.withLock { $0.looks += 1 }
    if let number = fault(.list(path)) { throw FileSystemError(.list, path, number: number) }
    return try kernel.list(path)
  }

  func room(_ path: String) throws(FileSystemError) -> FileSystemRoom {
    if let room = freeRoom.withLock({ $0 }) { return room }
    return try kernel.room(path)
  }

  func willCommit(_ commit: Commit) throws(FileSystemError) {
    try step(.willCommit(commit), .commit, root + "/queue.db")
  }

  func willPrune() throws(FileSystemError) {
    if let number = fault(.prune) {
      throw FileSystemError(.commit, root + "/queue.db", number: number)
    }
  }

  func didCommit(_ commit: Commit) {
    try? step(.didCommit(commit), .commit, root + "/queue.db")
  }
}
