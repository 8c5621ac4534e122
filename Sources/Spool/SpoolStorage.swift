import Crypto

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Files, rows and numbers of an open spool, without isolation: the actor's state.
final class SpoolStorage {
  let configuration: SpoolConfiguration
  let environment: SpoolEnvironment
  let layout: SpoolLayout
  let itemFiles: ItemFiles
  let index: ItemIndex
  let boot: Int64
  let recovery: RecoveryReport
  private let lock: DirectoryLock
  private var limits: NumberLimits
  /// The sequence number of the next item.
  private var nextSequence: Int64
  private var nextPress: Int64
  var counts: SpoolCounts
  /// What is being delivered, by target; a claim does not outlive the process.
  var claims: [TargetID: Set<ItemID>] = [:]

  /// Opens a directory and puts it in order.
  init(
    _ configuration: SpoolConfiguration, _ environment: SpoolEnvironment
  ) throws(SpoolError) {
    try configuration.validate()
    self.configuration = configuration
    self.environment = environment
    let files = environment.files
    layout = SpoolLayout(root: configuration.directory)
    itemFiles = ItemFiles(layout: layout, files: files)
    lock = try Self.lock(layout, files)
    let storedLimits = NumberLimits.read(from: layout.root, files: files)
    var limits = storedLimits ?? NumberLimits()
    let bootID = try environment.currentBootID()
    let opening = try Opening(
      itemFiles: itemFiles, configuration: configuration, limits: limits, bootID: bootID)
    index = opening.index
    recovery = opening.report
    boot = opening.boot
    nextSequence = opening.lastSequence + 1
    nextPress = opening.lastPress + 1
    counts = SpoolCounts(
      stored: opening.totals[.stored]?.count ?? 0, delivering: 0,
      delivered: opening.totals[.delivered]?.count ?? 0,
      quarantined: opening.totals[.quarantined]?.count ?? 0,
      bytesWaiting: opening.totals[.stored]?.bytes ?? 0)

    limits.boot = boot
    limits.bootID = bootID
    // Ahead already, so that the first picture does not wait for it.
    limits.raise(sequence: nextSequence + 1, press: nextPress + 1)
    if limits != storedLimits { try limits.write(to: layout.root, files: files) }
    self.limits = limits
  }

  private static func lock(
    _ layout: SpoolLayout, _ files: any FileSystem
  ) throws(SpoolError) -> DirectoryLock {
    do throws(SystemError) {
      let parent = layout.root.split(separator: "/").dropLast().joined(separator: "/")
      try files.makeDurableDirectory(layout.root, in: "/" + parent)
      return try DirectoryLock(directory: layout.root, files: files)
    } catch  where error.call == .lock && error.number == EWOULDBLOCK {
      throw SpoolError(.locked, layout.root, "is in use by another spool")
    } catch {
      throw SpoolError(.unusable, error.path, error.call.problem, cause: error.message)
    }
  }

  /// Refuses when a picture of so many bytes would not fit.
  func checkRoom(bytes: Int64) throws(SpoolError) {
    let room: FileSystemRoom
    do throws(SystemError) {
      room = try environment.files.room(layout.root)
    } catch {
      throw SpoolError(writing: error)
    }
    let capacity = Capacity(
      minimumFreeBytes: configuration.minimumFreeBytes, maximumBytes: configuration.maximumBytes)
    if let cause = capacity.refusal(bytes: bytes, waiting: counts.bytesWaiting, room: room) {
      throw SpoolError(.full, layout.root, "has no room for a picture", cause: cause)
    }
  }

  /// Puts a picture on stable storage; see ``Spool/store(_:)``.
  func store(_ item: NewItem) throws(SpoolError) -> StoredItem {
    guard !item.bytes.isEmpty, RemoteName.isValidFileExtension(item.fileExtension) else {
      throw SpoolError(.invalid, item.fileExtension, "is no extension, or the picture is empty")
    }
    guard RemoteName.isValidRigID(item.metadata.rigID) else {
      throw SpoolError(.invalid, item.metadata.rigID, "is no rig ID")
    }
    let bytes = Int64(item.bytes.count)
    try checkRoom(bytes: bytes)
    let id = ItemID(boot: boot, sequence: try takeSequence(), random: environment.random())
    let sha256 = Array(SHA256.hash(data: item.bytes))
    let row = ItemRow(
      id: id, fileExtension: item.fileExtension, bytes: bytes, sha256: sha256,
      remoteName: RemoteName.make(
        rigID: item.metadata.rigID,
        wallNanoseconds: item.metadata.captured.wallNanoseconds ?? environment.wallNanoseconds(),
        id: id, sha256: sha256, fileExtension: item.fileExtension),
      metadata: item.metadata)
    let sidecar = try row.encodedSidecar(targets: configuration.targets)
    do throws(SpoolError) {
      do throws(SystemError) {
        try itemFiles.write(id, item.fileExtension, image: item.bytes, sidecar: sidecar)
      } catch {
        throw SpoolError(writing: error)
      }
      try index.commit(.enqueue(id)) { try row.insert($0, targets: configuration.targets) }
    } catch {
      // Refused, and the disk is sound: nothing stays. After a failure the files stay for the next
      // start, which finds out what has reached the disk.
      guard !error.isPersistent else { throw error }
      do throws(SystemError) {
        try itemFiles.discard(id, item.fileExtension)
      } catch let second {
        throw SpoolError(.failed, second.path, second.call.problem, cause: second.message)
      }
      throw error
    }
    counts.stored += 1
    counts.bytesWaiting += bytes
    return StoredItem(
      id: id, path: layout.image(id, item.fileExtension), byteCount: bytes,
      sha256: sha256.hexadecimal, remoteName: row.remoteName)
  }

  /// Gives out press numbers that are durable as given out.
  func reservePressNumbers(_ count: Int) throws(SpoolError) -> Range<Int64> {
    guard (1...1_000_000).contains(count) else {
      throw SpoolError(.invalid, "\(count)", "is no count of press numbers, 1 to 1000000")
    }
    let range = nextPress..<(nextPress + Int64(count))
    try cover(sequence: nextSequence, press: range.upperBound)
    try index.commit(.pressNumbers) { database in
      try ItemRow.setNumber("last_press", range.upperBound - 1, database)
    }
    nextPress = range.upperBound
    return range
  }

  private func takeSequence() throws(SpoolError) -> Int64 {
    try cover(sequence: nextSequence + 1, press: nextPress)
    // Taken even when the store fails: the number is in file names that a crash may bring back.
    defer { nextSequence += 1 }
    return nextSequence
  }

  private func cover(sequence: Int64, press: Int64) throws(SpoolError) {
    guard !limits.covers(sequence: sequence, press: press) else { return }
    var raised = limits
    raised.raise(sequence: sequence, press: press)
    try raised.write(to: layout.root, files: environment.files)
    limits = raised
  }
}
