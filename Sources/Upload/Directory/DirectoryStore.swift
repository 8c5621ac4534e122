import Devices
import Glibc

/// A store that writes items into a directory, one after the other, on its own queue.
actor DirectoryStore {
  private let executor = DispatchQueueExecutor(label: "platen.upload.directory")
  private let configuration: DirectoryConfiguration
  private let wallNanoseconds: @Sendable () -> Int64
  private let willReadBack: @Sendable () -> Void

  /// The executor of the store's own queue.
  nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  init(
    _ configuration: DirectoryConfiguration, wallNanoseconds: @escaping @Sendable () -> Int64,
    willReadBack: @escaping @Sendable () -> Void
  ) {
    self.configuration = configuration
    self.wallNanoseconds = wallNanoseconds
    self.willReadBack = willReadBack
  }

  /// Delivers an item.
  func deliver(
    _ item: PendingDelivery, note: @Sendable (DeliveryProgress) -> Void
  ) throws(DeliveryFailure) -> Receipt {
    guard let name = Self.parts(ofName: item.remoteName), let last = name.last else {
      throw DeliveryFailure(badName: item.remoteName, cannotBe: "a path in a directory")
    }
    let root = try openRoot()
    do {
      let directory = try Self.descend(from: root, by: name.dropLast())
      return try write(item, as: last, in: directory, root: root, note: note)
    } catch let failure as DeliveryFailure {
      throw failure
    } catch let failure as FileFailure {
      throw failure.deliveryFailure
    } catch {
      throw DeliveryFailure(.unreachable, scope: .target, text: "\(error)")
    }
  }

  /// Splits a name into its parts; returns `nil` for a name that cannot be used.
  ///
  /// A part consists of `A-Z a-z 0-9 . _ -` and is not hidden. The first part is not the manifest's
  /// name.
  static func parts(ofName name: String) -> [String]? {
    let parts = name.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    let isGood = parts.allSatisfy { part in
      // 248 bytes leave room for the dot and the ending of the temporary name.
      (1...248).contains(part.utf8.count) && !part.hasPrefix(".") && !part.hasSuffix(".")
        && part.utf8.allSatisfy { $0.isASCIIAlphanumeric || "._-".utf8.contains($0) }
    }
    let isManifest = parts.first?.lowercased() == DirectoryTarget.manifestName.lowercased()
    return isGood && !isManifest && name.utf8.count <= 2048 ? parts : nil
  }

  /// Opens the directory if its marker has the configured name.
  private func openRoot() throws(DeliveryFailure) -> OpenFile {
    let path = configuration.directory
    let root: OpenFile
    do {
      root = try OpenFile.directory(path)
    } catch {
      guard error.code != .shortOfResources else { throw error }
      throw DeliveryFailure(
        error.code, scope: .target, text: "the drive is not there: \(error.text)")
    }
    guard let present = try DirectoryMarker.read(in: root) else {
      throw DeliveryFailure(
        .unreachable, scope: .target,
        text: """
          the drive is not there: "\(path)" has no marker "\(DirectoryTarget.markerName)"; \
          nothing is written to it
          """)
    }
    guard present == configuration.name else {
      throw DeliveryFailure(
        .blocked, scope: .target,
        text: """
          another drive is there: the marker in "\(path)" says "\(present)" and not \
          "\(configuration.name)"; nothing is written to it
          """)
    }
    return root
  }

  private static func descend(
    from root: borrowing OpenFile, by names: some Sequence<String>
  ) throws(FileFailure) -> OpenFile {
    var directory = try root.open(".", O_RDONLY | O_DIRECTORY)
    for name in names { directory = try directory.subdirectory(name) }
    return directory
  }

  /// Delivers an item under a name in its directory.
  ///
  /// - Throws: ``DeliveryFailure``, and ``FileFailure`` for calls that the drive refuses.
  private func write(
    _ item: PendingDelivery, as name: String, in directory: borrowing OpenFile,
    root: borrowing OpenFile, note: @Sendable (DeliveryProgress) -> Void
  ) throws -> Receipt {
    if try isThere(item, as: name, in: directory) {
      return try finish(item, root: root, isDuplicate: true)
    }
    let part = ".\(name).part"
    try directory.remove(part)
    try checkRoom(for: item, root)
    do {
      try copy(item, to: part, in: directory, note: note)
      try verify(item, part, in: directory)
    } catch {
      // If the removal fails now, the next attempt removes the file.
      try? directory.remove(part)
      throw error
    }
    let isNew = try directory.rename(part, to: name)
    if !isNew { try directory.remove(part) }
    try directory.sync()
    guard try isNew || isThere(item, as: name, in: directory) else {
      throw DeliveryFailure(
        .unreachable, scope: .target,
        text: "\"\(directory.path)/\(name)\" came and went while the item was written")
    }
    return try finish(item, root: root, isDuplicate: !isNew)
  }

  /// Checks whether the directory holds the item under its name already.
  ///
  /// - Throws: ``DeliveryFailure`` with `conflict` when something else has the name.
  private func isThere(
    _ item: PendingDelivery, as name: String, in directory: borrowing OpenFile
  ) throws -> Bool {
    let path = "\(directory.path)/\(name)"
    let conflict = DeliveryFailure(
      .conflict, scope: .item, text: "\"\(path)\" is something else; it is left as it is")
    do {
      let file = try directory.open(name, O_RDONLY)
      guard try file.byteCount() == item.byteCount else { throw conflict }
      // A power cut may have ended the attempt that wrote the file.
      try file.sync()
      file.forgetCached()
      let digest = try digest(of: file, expecting: item.byteCount)
      guard digest.matches(item) else { throw conflict }
      try directory.sync()
      return true
    } catch let failure as FileFailure {
      if failure.number == ENOENT { return false }
      if [ELOOP, ENXIO].contains(failure.number), failure.path == path { throw conflict }
      throw failure
    }
  }

  private func checkRoom(
    for item: PendingDelivery, _ root: borrowing OpenFile
  ) throws {
    let free = try root.freeBytes()
    // The reserve covers the file system's own needs.
    let (needed, overflow) = item.byteCount.addingReportingOverflow(configuration.reserveBytes)
    guard !overflow, free >= needed else {
      throw DeliveryFailure(
        .targetFull, scope: .target,
        text: """
          "\(root.path)" has no room: \(free) bytes are free, the item has \(item.byteCount) and \
          \(configuration.reserveBytes) are to stay free
          """)
    }
  }

  /// Copies an item's file and forces the copy to the medium.
  private func copy(
    _ item: PendingDelivery, to part: String, in directory: borrowing OpenFile,
    note: @Sendable (DeliveryProgress) -> Void
  ) throws {
    let source = try fromSource { () throws(FileFailure) in try OpenFile.source(item.path) }
    let copy = try directory.open(part, O_WRONLY | O_CREAT | O_EXCL)
    let digest = ContentDigest(expectedByteCount: item.byteCount)
    var buffer = [UInt8](repeating: 0, count: Self.pieceBytes)
    var offset: Int64 = 0
    while true {
      try checkCancellation()
      let count = try fromSource { () throws(FileFailure) in
        try source.read(into: &buffer, at: offset)
      }
      guard count > 0 else { break }
      guard buffer.withUnsafeBytes({ digest.add(.init(rebasing: $0[..<count])) }) else { break }
      try copy.writeAll(buffer[..<count])
      offset += Int64(count)
      note(DeliveryProgress(bytesSent: offset))
    }
    guard digest.matches(item) else {
      throw DeliveryFailure(
        .fileUnreadable, scope: .item,
        text: """
          the item's file "\(item.path)" is not what was stored: \(digest.summary) instead of \
          \(item.byteCount) bytes, SHA-256 \(item.sha256)
          """)
    }
    try copy.sync()
    copy.forgetCached()
  }

  /// Reads a copy back, from the medium as far as the kernel allows, and compares the bytes.
  private func verify(
    _ item: PendingDelivery, _ part: String, in directory: borrowing OpenFile
  ) throws {
    willReadBack()
    let file = try directory.open(part, O_RDONLY)
    let digest = try digest(of: file, expecting: item.byteCount)
    guard digest.matches(item) else {
      throw DeliveryFailure(
        .corrupted, scope: .target,
        text: """
          "\(file.path)" gives back other bytes than were written: \(digest.summary) instead of \
          \(item.byteCount) bytes, SHA-256 \(item.sha256)
          """)
    }
  }

  private func digest(
    of file: borrowing OpenFile, expecting byteCount: Int64
  ) throws -> ContentDigest {
    let digest = ContentDigest(expectedByteCount: byteCount)
    var buffer = [UInt8](repeating: 0, count: Self.pieceBytes)
    var offset: Int64 = 0
    while true {
      try checkCancellation()
      let count = try file.read(into: &buffer, at: offset)
      guard count > 0 else { return digest }
      guard buffer.withUnsafeBytes({ digest.add(.init(rebasing: $0[..<count])) }) else {
        return digest
      }
      offset += Int64(count)
    }
  }

  /// Adds the item to the manifest and makes its receipt.
  private func finish(
    _ item: PendingDelivery, root: borrowing OpenFile, isDuplicate: Bool
  ) throws -> Receipt {
    try DirectoryManifest.add(item, in: root, mayBeListed: isDuplicate)
    return Receipt(
      url: "file://\(configuration.directory)/\(item.remoteName)", remoteName: item.remoteName,
      sha256: item.sha256, verification: .readBack, status: nil, entityTag: nil,
      isDuplicate: isDuplicate, wallNanoseconds: wallNanoseconds())
  }

  private static let pieceBytes = 1 << 18

  private func checkCancellation() throws(DeliveryFailure) {
    guard !Task.isCancelled else {
      throw DeliveryFailure(.cancelled, scope: .target, text: "the delivery was canceled")
    }
  }

  private func fromSource<Value: ~Copyable>(
    _ body: () throws(FileFailure) -> Value
  ) throws(DeliveryFailure) -> Value {
    do {
      return try body()
    } catch {
      throw error.sourceFailure
    }
  }
}
