package import Devices
package import Logging

/// The durable queue of pictures on the rig.
///
/// ``store(_:)`` returns only after image, sidecar, directory entry and row are on stable storage.
/// A delivered file is removed only after the receipts are on stable storage. The power may be cut
/// at any instant.
///
/// One process uses a directory at a time, with one connection to the database. All blocking calls
/// run on the actor's own queue. The spool fails for good when stable storage fails, for example
/// `fsync`, or when the database contradicts itself. Then every call that may write throws that
/// error, with code `failed` or `indexDamaged`, and the service has to restart. A failed `fsync` is
/// never retried. Calls that only read go on as far as the medium allows.
package actor Spool {
  /// The findings that the start repaired before the spool was open.
  package nonisolated let recovery: RecoveryReport
  /// The events from now on; the hub is finished by ``close()``.
  package nonisolated let eventHub = EventHub<SpoolEvent>()
  /// Presses that wait to be written.
  nonisolated let intake: PressIntake
  private let executor: DispatchQueueExecutor
  /// The turns of the listings.
  nonisolated let listingTurns = ListingTurns()
  private let sources = SourceReader()
  /// The reader of the beginnings of stored files, for which no long file is waited.
  let heads = SourceReader()
  /// The reader of stored files that are compared with their rows.
  let checks = SourceReader()
  /// The writer of sources of proxies.
  let sourceWriter = SourceFiles()
  /// The reader of sources of proxies, for which no writing waits.
  let sourceReader = SourceFiles()
  /// The reader of recordings that are stored, for which no other call waits.
  let recordingFiles = RecordingFiles()
  let logger: Logger
  private var storage: SpoolStorage?
  private var failure: SpoolError?
  /// The task that recovers the rest of the queue in the background.
  var rest: Task<Void, Never>?
  /// The task that stores the recordings of an earlier run in the background.
  var adoption: Task<Void, Never>?
  /// The recordings that wait for another attempt to store them, with the facts at their end.
  var postponed: [ItemID: ItemMetadata] = [:]
  /// The task of those attempts.
  var attempts: Task<Void, Never>?

  /// The number of the running call, to detect a hanging disk; `nil` while the spool is idle.
  package nonisolated var runningCall: UInt64? { executor.runningJob }

  /// The actor's own queue.
  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  /// Opens a directory, recovers it after a crash, and rebuilds a damaged index.
  ///
  /// A long queue is recovered in the background, in slices, and the spool serves other calls
  /// between them. Until the recovery ends, the history is not pruned, and presses of earlier runs
  /// that were in flight stay so.
  ///
  /// - Parameters:
  ///   - configuration: the directory and its limits.
  ///   - logger: the logger of the findings.
  /// - Throws: ``SpoolError``: `invalid`; `unusable`; `locked` when another spool uses the
  ///   directory; `newerSchema` when a newer version wrote it; `full` and `shortOfResources` when
  ///   the start itself lacks room or descriptors; `failed` when the medium is faulty;
  ///   `indexDamaged` when the database contradicts itself again after a rebuild.
  package static func open(
    _ configuration: SpoolConfiguration, logger: Logger
  ) async throws(SpoolError) -> Spool {
    try await open(configuration, logger: logger, environment: SpoolEnvironment())
  }

  static func open(
    _ configuration: SpoolConfiguration, logger: Logger = Logger(label: "platen.spool"),
    environment: SpoolEnvironment
  ) async throws(SpoolError) -> Spool {
    let opener = Opener()
    let spool = try await opener.open(configuration, logger: logger, environment: environment)
    await spool.beginRest()
    await spool.beginAdoption()
    return spool
  }

  /// The actor that opens a spool on the queue on which the spool then runs.
  private actor Opener {
    private let executor = DispatchQueueExecutor(label: "platen.spool")
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    func open(
      _ configuration: SpoolConfiguration, logger: Logger, environment: SpoolEnvironment
    ) throws(SpoolError) -> Spool {
      let storage = try SpoolStorage(configuration, environment)
      return Spool(storage, executor: executor, logger: logger)
    }
  }

  private init(
    _ storage: sending SpoolStorage, executor: DispatchQueueExecutor, logger: Logger
  ) {
    recovery = storage.recovery
    intake = storage.index.intake
    self.executor = executor
    self.logger = logger
    self.storage = storage
    recovery.log(to: logger)
  }

  /// Closes the database and releases the directory; every later call throws `closed`.
  package func close() {
    eventHub.finish()
    rest?.cancel()
    adoption?.cancel()
    attempts?.cancel()
    recordingFiles.stop()
    guard let storage = storage.take() else { return }
    do throws(SpoolError) {
      try storage.index.close(keepingLog: failure != nil)
    } catch {
      logger.warning("spool did not close well", metadata: ["error": "\(error)"])
    }
  }

  /// Puts a picture on stable storage and in the queue.
  ///
  /// Without room the picture is refused, or the oldest pictures are removed for it, as
  /// ``SpoolConfiguration/whenFull`` says. A file is taken over as ``NewItem/Content/file(_:)``
  /// says. The spool serves other calls while a file that can be moved is read and forced to the
  /// disk.
  ///
  /// - Returns: the stored item, which from now on survives a power cut.
  /// - Throws: ``SpoolError``: `full` or `shortOfResources` when nothing was kept and the spool
  ///   stays usable; `invalid`, also for a file that is none or that changes; `unreadable` for a
  ///   file that cannot be read; `failed` or `indexDamaged`, after which the picture may appear at
  ///   the next start; `closed`. The source of a refused file stays where it is.
  package func store(_ item: NewItem) async throws(SpoolError) -> StoredItem {
    guard case .file(let path) = item.content else {
      return try perform { storage throws(SpoolError) in try storage.store(item) }
    }
    let (layout, files) = try perform { storage throws(SpoolError) in
      do throws(SpoolError) {
        try storage.check(item)
      } catch {
        throw error.refusing(path)
      }
      return (storage.layout, storage.environment.files)
    }
    let examined = await sources.examine(path, for: layout, files: files)
    return try perform { storage throws(SpoolError) in try storage.store(item, examined) }
  }

  /// Throws when a picture of this length could not be stored now, for a check before a capture.
  ///
  /// - Throws: ``SpoolError``: `full`, `failed`, `indexDamaged`, `closed`.
  package func checkRoom(forBytes bytes: Int64) throws(SpoolError) {
    try perform { storage throws(SpoolError) in try storage.checkRoom(bytes: bytes) }
  }

  /// Gives out press numbers that no press of any run has had.
  ///
  /// The numbers are on stable storage as given out when this returns. Unused numbers stay a gap.
  ///
  /// - Parameter count: the number of press numbers, 1...1,000,000.
  /// - Throws: ``SpoolError``.
  package func reservePressNumbers(count: Int) throws(SpoolError) -> Range<Int64> {
    try perform { storage throws(SpoolError) in try storage.reservePressNumbers(count) }
  }

  /// Returns the events from now on.
  ///
  /// A caller subscribes first and then looks with ``nextDelivery(target:excluding:)``. The newest
  /// 64 events are kept for a slow reader. The stream ends with ``close()``. A failed spool sends
  /// its failure at once.
  package func events() -> AsyncStream<SpoolEvent> {
    eventHub.listen(limit: 64, first: failure.map { [SpoolEvent.failed($0)] } ?? [])
  }

  /// The failure because of which nothing can be stored before a restart; `nil` while all is well.
  package var persistentFailure: SpoolError? { failure }

  /// Runs a call that may write, and keeps a failure of stable storage for good.
  func perform<Value>(
    _ body: (SpoolStorage) throws(SpoolError) -> Value
  ) throws(SpoolError) -> Value {
    if let failure { throw failure }
    let storage = try opened()
    do throws(SpoolError) {
      let value = try body(storage)
      tell(storage)
      return value
    } catch {
      tell(storage)
      if error.isPersistent { fail(with: error) }
      throw error
    }
  }

  /// Keeps a failure for good; the next start sets aside a database that contradicts itself.
  func fail(with error: SpoolError) {
    guard failure == nil, let storage else { return }
    if error.code == .indexDamaged {
      IndexRecovery.distrust(storage.layout, storage.environment.files)
    }
    failure = error
    logger.critical("stable storage failed", metadata: ["error": "\(error)"])
    eventHub.send(.failed(error))
  }

  /// Runs a call that only reads, also after a failure.
  func look<Value>(
    _ body: (SpoolStorage) throws(SpoolError) -> Value
  ) throws(SpoolError) -> Value {
    try body(opened())
  }

  /// Publishes the storage's events, and logs the files that it had to leave behind.
  func tell(_ storage: SpoolStorage) {
    storage.noteQueues()
    for event in storage.events { eventHub.send(event) }
    storage.events = []
    for error in storage.leftBehind {
      logger.warning(
        "a file could not be removed or moved, the next start looks at it again",
        metadata: ["path": "\(error.path)", "error": "\(error.message)"])
    }
    storage.leftBehind = []
    for error in storage.leftSources {
      logger.warning(
        "a stored file could not be removed from its old place, remove it by hand",
        metadata: ["path": "\(error.path)", "error": "\(error.message)"])
    }
    storage.leftSources = []
  }

  /// The storage; `nil` after ``close()``.
  var storageIfOpen: SpoolStorage? { storage }

  private func opened() throws(SpoolError) -> SpoolStorage {
    guard let storage else { throw SpoolError(.closed, "spool", "is closed") }
    return storage
  }
}
