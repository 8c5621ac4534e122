import Glibc

/// The files, rows and numbers of an open spool: the actor's state, without isolation.
final class SpoolStorage {
  let configuration: SpoolConfiguration
  let environment: SpoolEnvironment
  let layout: SpoolLayout
  let itemFiles: ItemFiles
  let index: ItemIndex
  let boot: Int64
  let bootID: String
  let recovery: RecoveryReport
  /// The rest of the recovery, which runs in the background.
  var rest: Recovery?
  /// The last press of an earlier run.
  let lastEarlierPress: Int64
  private let lock: DirectoryLock
  var limits: NumberLimits
  var boots: BootHistory
  var ballast: Ballast
  /// The sequence number of the next item.
  var nextSequence: Int64
  var nextPress: Int64
  /// The items being delivered and their bytes, by target; a claim ends with the process.
  var claims: [TargetID: [ItemID: Int64]] = [:]
  /// The events that are not published yet.
  var events: [SpoolEvent] = []
  /// Files that could not be removed or moved after their row had changed.
  var leftBehind: [FileSystemError] = []
  /// Files outside the spool that could not be removed after they had been stored.
  var leftSources: [FileSystemError] = []
  /// Shards of refused pictures whose removal is not durable yet.
  var unsyncedShards: Set<String> = []

  /// The sources that have no item yet, by path.
  var pendingSources: [String: PendingBytes] = [:]
  /// The proxies that have a source.
  var proxies: [ItemID: Proxy] = [:] { didSet { haveProxiesChanged = true } }

  /// The queues of the configured targets, as the last call has left them.
  var queues: [TargetID: QueueState] = [:]
  /// The counted deliveries that ``queues`` was made from.
  var notedDeliveries: ItemIndex.DeliveryTally?
  /// Whether ``queues`` was made before the proxies changed.
  var haveProxiesChanged = false

  /// The recordings that are not stored yet.
  var recordings: [ItemID: Recording] = [:]

  /// The number of failed reads of each unreadable picture.
  var unreadable: [ItemID: Int] = [:]
  /// The shortage at the time of an eviction that freed nothing.
  var vainEviction: Capacity.Shortage?

  /// Opens a directory and recovers it.
  init(
    _ configuration: SpoolConfiguration, _ environment: SpoolEnvironment
  ) throws(SpoolError) {
    try configuration.validate()
    self.configuration = configuration
    self.environment = environment
    let files = environment.files
    let layout = SpoolLayout(root: configuration.directory)
    self.layout = layout
    itemFiles = ItemFiles(layout: layout, files: files)
    lock = try Self.lock(layout, files)
    bootID = try environment.currentBootID()
    var ballast = Ballast(layout: layout, files: files, configuration: configuration)
    let start: Start
    do throws(SpoolError) {
      start = try Start(itemFiles, configuration, environment, bootID: bootID)
    } catch  where error.code == .full {
      // On a full disk the start itself may need the room of the ballast.
      guard try Self.release(&ballast) else { throw error }
      start = try Start(itemFiles, configuration, environment, bootID: bootID)
    }
    index = start.opening.index
    leftBehind = start.opening.leftBehind
    index.history.unsyncedLimit = environment.unsyncedLimit
    recovery = start.opening.report
    rest = start.opening.rest
    lastEarlierPress = start.opening.lastPress
    boot = start.opening.boot
    nextSequence = start.opening.nextSequence
    nextPress = start.opening.lastPress + 1
    limits = start.limits
    boots = start.boots
    do throws(FileSystemError) {
      try ballast.find()
    } catch {
      throw SpoolError(writing: error)
    }
    ballast.makeIfRoom(in: layout.root)
    self.ballast = ballast
    try findProxies()
    try findRecordings()
    let found = events
    noteQueues()
    // The first caller reads the queues, and is told only of changes.
    events = found
  }

  private static func release(_ ballast: inout Ballast) throws(SpoolError) -> Bool {
    do throws(FileSystemError) {
      try ballast.find()
      return try ballast.release()
    } catch {
      throw SpoolError(writing: error)
    }
  }

  private static func lock(
    _ layout: SpoolLayout, _ files: any FileSystem
  ) throws(SpoolError) -> DirectoryLock {
    do throws(FileSystemError) {
      let parent = layout.root.split(separator: "/").dropLast().joined(separator: "/")
      try files.makeDurableDirectory(layout.root, in: "/" + parent)
      return try DirectoryLock(directory: layout.root, files: files)
    } catch  where error.call == .lock && error.number == EWOULDBLOCK {
      throw SpoolError(.locked, layout.root, "is in use by another spool")
    } catch {
      throw SpoolError(.unusable, error.path, error.call.problem, cause: error.message)
    }
  }

  /// Runs a commit, and once again without the ballast when the disk is full.
  ///
  /// The transaction that found the disk full was rolled back, so `body` runs from its beginning.
  func withBallast<Value>(
    _ body: () throws(SpoolError) -> Value
  ) throws(SpoolError) -> Value {
    do throws(SpoolError) {
      return try body()
    } catch  where error.code == .full {
      guard try Self.release(&ballast) else { throw error }
      return try body()
    }
  }

  /// Removes the files of evicted items; a failed removal is left to the next start.
  func removeFiles(of rows: [(sequence: Int64, row: ItemRow)]) throws(SpoolError) {
    let quarantined = Set(rows.filter { $0.row.state == .quarantined }.map(\.row.id))
    let isEmptied = try hasRemoved { () throws(FileSystemError) in
      try itemFiles.removeQuarantined(quarantined)
    }
    for (sequence, row) in rows {
      let isRemoved = try hasRemoved { () throws(FileSystemError) in
        try itemFiles.remove(row.id, row.fileExtension)
      }
      try removeSource(row.id)
      if isRemoved, isEmptied || !quarantined.contains(row.id) {
        try noteRemoved(sequence, row.id, isDelivered: false)
      } else {
        index.history.stuck(sequence)
      }
    }
  }

  /// Runs a removal of files; a failure is noted in ``leftBehind``.
  func hasRemoved(
    _ removal: () throws(FileSystemError) -> Void
  ) throws(SpoolError) -> Bool {
    do throws(FileSystemError) {
      try removal()
      return true
    } catch  where error.call == .sync {
      throw SpoolError(writing: error)
    } catch {
      leftBehind.append(error)
      return false
    }
  }

  /// Removes the files of an item that every target has.
  func purge(_ id: ItemID, _ fileExtension: String, sequence: Int64) throws(SpoolError) {
    do throws(FileSystemError) {
      try itemFiles.remove(id, fileExtension)
    } catch {
      leftBehind.append(error)
      return
    }
    try noteRemoved(sequence, id, isDelivered: true)
    try removeSource(id)
    ballast.makeIfRoom(in: layout.root)
  }

  private func noteRemoved(
    _ sequence: Int64, _ id: ItemID, isDelivered: Bool
  ) throws(SpoolError) {
    if isDelivered {
      index.history.purged(sequence, shard: id.shard)
    } else {
      index.history.removed(sequence, shard: id.shard)
    }
    guard index.history.unsyncedCount >= index.history.unsyncedLimit else { return }
    do throws(FileSystemError) {
      for shard in index.history.unsynced.keys {
        try environment.files.syncDirectory(layout.items + "/" + shard)
        index.history.synced(shard: shard)
      }
    } catch {
      throw SpoolError(writing: error)
    }
  }
}
