import Foundation

/// The content of a disk after a power cut, at its worst.
///
/// Content is safe only after `fsync` of the file, and a name only after `fsync` of its directory.
/// Bytes that were safe stay so while the file grows. After a failed `fsync` the page cache has
/// bytes that no later `fsync` writes, as of Linux' file systems.
/// Any part of everything else may be there, in any combination.
struct DiskModel {
  enum Node: Hashable {
    case directory
    case file(Int)
  }
  private struct Inode {
    var content: [UInt8] = []
    /// The number of bytes from the beginning that are on stable storage.
    var durableCount = 0
    var isDurable: Bool { durableCount == content.count && isForced }
    /// Whether the file, also an empty one, has been forced to stable storage.
    var isForced = false
    /// The bytes that are only in the page cache, after a failed `fsync`.
    var lost: Range<Int>?

    /// The content as far as it can reach the disk.
    var reachable: [UInt8] {
      var bytes = content
      guard let lost = lost?.clamped(to: 0..<bytes.count) else { return bytes }
      bytes.replaceSubrange(lost, with: repeatElement(0, count: lost.count))
      return bytes
    }

    mutating func force() { (durableCount, isForced) = (content.count, true) }
  }
  private enum Entry: Hashable {
    case create(String, Node)
    case remove(String)
    case rename(String, String)

    var directories: Set<String> {
      switch self {
      case .create(let path, _), .remove(let path): [DiskModel.parent(path)]
      case .rename(let old, let new): [DiskModel.parent(old), DiskModel.parent(new)]
      }
    }
  }

  private var inodes: [Inode] = []
  private var current: [String: Node] = [:]
  private var durable: [String: Node] = [:]
  private var pending: [Entry] = []

  static func parent(_ path: String) -> String {
    String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
  }

  /// Begins with the content of directories, all of it durable.
  init(importing roots: [String]) {
    for root in roots { add(root) }
    durable = current
  }

  private mutating func add(_ root: String) {
    let names = FileManager.default.enumerator(atPath: root)?.compactMap { $0 as? String } ?? []
    for name in names {
      let path = root + "/" + name
      if isDirectory(path) {
        current[path] = .directory
      } else if let data = FileManager.default.contents(atPath: path) {
        inodes.append(
          Inode(content: Array(data), durableCount: data.count, isForced: true))
        current[path] = .file(inodes.count - 1)
      }
    }
  }

  mutating func create(_ path: String) {
    inodes.append(Inode())
    current[path] = .file(inodes.count - 1)
    pending.append(.create(path, .file(inodes.count - 1)))
  }

  mutating func makeDirectory(_ path: String) {
    current[path] = .directory
    pending.append(.create(path, .directory))
  }

  /// Writes bytes over those at a place, or behind all others.
  mutating func write(_ path: String, _ bytes: some Collection<UInt8>, at place: Int? = nil) {
    guard case .file(let number) = current[path] else { return }
    let end = inodes[number].content.count
    let begin = min(place ?? end, end)
    inodes[number].content.replaceSubrange(
      begin..<min(begin + bytes.count, end), with: bytes)
    inodes[number].durableCount = min(inodes[number].durableCount, begin)
  }

  mutating func truncate(_ path: String, to count: Int) {
    guard case .file(let number) = current[path] else { return }
    let excess = inodes[number].content.count - count
    inodes[number].content.removeLast(max(0, excess))
    inodes[number].durableCount = min(inodes[number].durableCount, count)
  }

  /// Changes content on the medium itself, as a fault of it would.
  mutating func damage(_ path: String, _ bytes: [UInt8]) {
    guard case .file(let number) = current[path] else { return }
    let wasDurable = inodes[number].isDurable
    inodes[number].content = bytes
    inodes[number].durableCount = wasDurable ? bytes.count : 0
  }

  mutating func sync(_ path: String) {
    if case .file(let number) = current[path] {
      inodes[number].force()
      return
    }
    for entry in pending where entry.directories.contains(path) {
      Self.apply(entry, to: &durable)
    }
    pending.removeAll { $0.directories.contains(path) }
  }

  /// Notes that a file's `fsync` has failed.
  mutating func lose(_ path: String) {
    guard case .file(let number) = current[path] else { return }
    let (begin, end) = (inodes[number].durableCount, inodes[number].content.count)
    if begin < end { inodes[number].lost = begin..<end }
  }

  /// Has a file's content read from the disk.
  ///
  /// - Returns: the bytes that are zeros from now on; `nil` for none.
  mutating func drop(_ path: String) -> Range<Int>? {
    guard case .file(let number) = current[path], let lost = inodes[number].lost else { return nil }
    inodes[number].content = inodes[number].reachable
    inodes[number].lost = nil
    return lost
  }

  mutating func syncAll() {
    for number in inodes.indices { inodes[number].force() }
    durable = current
    pending = []
  }

  mutating func rename(_ path: String, to newPath: String) {
    Self.apply(.rename(path, newPath), to: &current)
    pending.append(.rename(path, newPath))
  }

  mutating func link(_ path: String, to newPath: String) {
    guard let node = current[path] else { return }
    current[newPath] = node
    pending.append(.create(newPath, node))
  }

  mutating func unlink(_ path: String) {
    current[path] = nil
    pending.append(.remove(path))
  }

  /// Writes a possible disk after a power cut into another directory.
  ///
  /// - Returns: whether the directory itself has survived.
  func materialize(
    from root: String, to destination: String, skipping isSkipped: (String) -> Bool,
    using random: inout some RandomNumberGenerator
  ) throws -> Bool {
    var tree = durable
    let keep = Int.random(in: 0...2, using: &random)
    for entry in pending {
      let isKept = keep == 0 ? false : keep == 1 ? true : Bool.random(using: &random)
      if isKept { Self.apply(entry, to: &tree) }
    }
    if current[root] != nil, tree[root] == nil { return false }
    for (path, node) in tree.sorted(by: { $0.key < $1.key }) {
      guard path.hasPrefix(root + "/"), !isSkipped(path) else { continue }
      let copy = destination + path.dropFirst(root.count)
      // A directory whose own entry is lost takes everything in it along.
      guard FileManager.default.fileExists(atPath: Self.parent(copy)) else { continue }
      switch node {
      case .directory:
        try FileManager.default.createDirectory(
          atPath: copy, withIntermediateDirectories: false)
      case .file(let number):
        let content = Self.survivor(inodes[number], using: &random)
        try Data(content).write(to: URL(fileURLWithPath: copy))
      }
    }
    return true
  }

  private static func survivor(
    _ inode: Inode, using random: inout some RandomNumberGenerator
  ) -> [UInt8] {
    let content = inode.reachable
    if inode.isDurable { return content }
    let durable = content.prefix(inode.durableCount)
    let rest = content.dropFirst(inode.durableCount)
    switch Int.random(in: 0...3, using: &random) {
    case 0: return Array(durable)
    case 1: return Array(durable) + rest.prefix(rest.count / 2)
    case 2: return Array(durable) + [UInt8](repeating: 0, count: rest.count)
    default: return content
    }
  }

  private static func apply(_ entry: Entry, to tree: inout [String: Node]) {
    switch entry {
    case .create(let path, let node): tree[path] = node
    case .remove(let path): tree[path] = nil
    case .rename(let old, let new):
      guard let node = tree.removeValue(forKey: old) else { return }
      tree[new] = node
    }
  }
}
