import Devices
public import Logging

/// The durable queue of pictures on the rig.
///
/// ``store(_:)`` returns only after image, sidecar, directory entry and row are on stable storage;
/// a file is removed only after a target's receipt is. The power may be cut at any instant.
///
/// One process uses a directory at a time, with one connection to the database. All blocking calls
/// run on the actor's own queue. When stable storage fails, for example `fsync`, or the database
/// contradicts itself, the spool fails for good: every call that may write throws that error, code
/// `failed` or `indexDamaged`, and the service has to restart; a failed `fsync` is never tried again.
/// Calls that only look go on as far as the medium lets them.
public actor Spool {
  /// The findings of the start that were put in order before the spool was open.
  public nonisolated let recovery: RecoveryReport
  /// Presses that wait to be written.
  nonisolated let intake: PressIntake
  private let executor: DispatchQueueExecutor
  let logger: Logger
  private var storage: SpoolStorage?
  private var failure: SpoolError?
  private var listeners: [AsyncStream<SpoolEvent>.Continuation] = []
  /// Puts in order what the start has left for later.
  var rest: Task<Void, Never>?

  /// The number of the call that the spool is at, for whoever watches for a disk that hangs; `nil`
  /// while it has nothing to do.
  public nonisolated var runningCall: UInt64? { executor.runningJob }

  /// Runs the actor on its own queue.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  /// Opens a directory, puts it in order after a crash, and rebuilds a damaged index.
  ///
  /// A long queue is put in order behind, in slices between which the spool does everything else: up to
  /// then its history is not pruned, and presses of earlier runs that were in flight stay so.
  ///
  /// - Parameters:
  ///   - configuration: where, and how much.
  ///   - logger: gets what the start has found.
  /// - Throws: ``SpoolError``: `invalid`, `unusable`, `locked` when somebody else has the
  ///   directory, `newerSchema` when a newer version wrote it, `full` and `shortOfResources`
  ///   when the start itself lacks them, `failed` when the medium is faulty, `indexDamaged` when the
  ///   database contradicts itself again after it was rebuilt.
  public static func open(
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
    return spool
  }

  /// Opens on the queue on which the spool then runs.
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

  /// Closes the database and gives the directory free; every later call throws `closed`.
  public func close() {
    for listener in listeners { listener.finish() }
    listeners = []
    rest?.cancel()
    guard let storage = storage.take() else { return }
    do throws(SpoolError) {
      try storage.index.close(keepingLog: failure != nil)
    } catch {
      logger.warning("spool did not close well", metadata: ["error": "\(error)"])
    }
  }

  /// Puts a picture on stable storage and in the queue.
  ///
  /// Without room it is refused, or the oldest ones that wait are given up for it, as
  /// ``SpoolConfiguration/whenFull`` says.
  ///
  /// - Returns: what is stored; from now on it survives a power cut.
  /// - Throws: ``SpoolError``: `full` or `shortOfResources` when nothing was kept and the spool
  ///   stays usable; `invalid`; `failed` or `indexDamaged`, after which the picture may turn up at
  ///   the next start; `closed`.
  public func store(_ item: NewItem) throws(SpoolError) -> StoredItem {
    try perform { storage throws(SpoolError) in try storage.store(item) }
  }

  /// Refuses when a picture of so many bytes would not be stored now, for asking before a capture.
  ///
  /// - Throws: ``SpoolError``: `full`, `failed`, `indexDamaged`, `closed`.
  public func checkRoom(forBytes bytes: Int64) throws(SpoolError) {
    try perform { storage throws(SpoolError) in try storage.checkRoom(bytes: bytes) }
  }

  /// Gives out press numbers that no press of any earlier run has had.
  ///
  /// They are on stable storage as given out when this returns; what is not used stays a gap.
  ///
  /// - Parameter count: how many, 1...1,000,000.
  /// - Throws: ``SpoolError``.
  public func reservePressNumbers(count: Int) throws(SpoolError) -> Range<Int64> {
    try perform { storage throws(SpoolError) in try storage.reservePressNumbers(count) }
  }

  /// What happens from now on; subscribe first, then look with
  /// ``nextDelivery(target:excluding:)``.
  ///
  /// The newest 64 events are kept for a slow reader. The stream ends with ``close()``. A spool that
  /// has failed says so at once.
  public func events() -> AsyncStream<SpoolEvent> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: SpoolEvent.self, bufferingPolicy: .bufferingNewest(64))
    if let failure { continuation.yield(.failed(failure)) }
    if storage == nil { continuation.finish() } else { listeners.append(continuation) }
    return stream
  }

  /// Why nothing can be stored until the service has restarted; `nil` while all is well.
  public var persistentFailure: SpoolError? { failure }

  /// Runs a call that may write, and remembers a failure of stable storage for good.
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

  /// Remembers a failure for good, and has the next start put aside a database that contradicts itself.
  func fail(with error: SpoolError) {
    guard failure == nil, let storage else { return }
    if error.code == .indexDamaged {
      IndexRecovery.distrust(storage.layout, storage.environment.files)
    }
    failure = error
    logger.critical("stable storage failed", metadata: ["error": "\(error)"])
    publish(.failed(error))
  }

  /// Runs a call that only reads, also after a failure.
  func look<Value>(
    _ body: (SpoolStorage) throws(SpoolError) -> Value
  ) throws(SpoolError) -> Value {
    try body(opened())
  }

  private func publish(_ event: SpoolEvent) {
    listeners.removeAll { listener in
      if case .terminated = listener.yield(event) { return true }
      return false
    }
  }

  /// Tells what has happened, and notes files that could not be removed or moved after their row
  /// had changed.
  private func tell(_ storage: SpoolStorage) {
    for event in storage.events { publish(event) }
    storage.events = []
    for error in storage.leftBehind {
      logger.warning(
        "files left behind; the next start clears them",
        metadata: ["path": "\(error.path)", "error": "\(error.message)"])
    }
    storage.leftBehind = []
  }

  /// The storage; `nil` after ``close()``.
  var storageIfOpen: SpoolStorage? { storage }

  private func opened() throws(SpoolError) -> SpoolStorage {
    guard let storage else { throw SpoolError(.closed, "spool", "is closed") }
    return storage
  }
}
