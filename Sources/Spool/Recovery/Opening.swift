/// An index that agrees with the files as far as there was time, and the numbers to continue from.
struct Opening {
  let index: ItemIndex
  let report: RecoveryReport
  /// The rest of the recovery, which runs in the background; `nil` when the recovery is finished.
  let rest: Recovery?
  /// The calls that the medium has refused.
  let leftBehind: [FileSystemError]
  let boot: Int64
  let lastSequence: Int64
  let nextSequence: Int64
  let lastPress: Int64

  /// Opens the index and compares it with the files.
  ///
  /// A database that contradicts itself on the way is set aside once, like a database that cannot
  /// be opened. Otherwise the service would fail at each start.
  init(
    itemFiles: ItemFiles, configuration: SpoolConfiguration, limits: NumberLimits, bootID: String,
    environment: SpoolEnvironment
  ) throws(SpoolError) {
    let indexRecovery = IndexRecovery(
      itemFiles, historyItems: configuration.historyItems,
      pressLimit: configuration.ledgerPresses, bootID: bootID, environment: environment)
    do throws(SpoolError) {
      try self.init(
        once: itemFiles, indexRecovery, configuration, limits, environment.entriesOfStart)
    } catch  where error.code == .indexDamaged {
      indexRecovery.distrust()
      try self.init(
        once: itemFiles, indexRecovery, configuration, limits, environment.entriesOfStart)
    }
  }

  private init(
    once itemFiles: ItemFiles, _ indexRecovery: IndexRecovery,
    _ configuration: SpoolConfiguration, _ limits: NumberLimits, _ entries: Int
  ) throws(SpoolError) {
    let (index, isNew, broken) = try indexRecovery.open(continuing: limits)
    let isUsed = try itemFiles.perform { () throws(FileSystemError) in try itemFiles.prepare() }
    var recovery = Recovery(itemFiles: itemFiles, index: index, configuration: configuration)
    recovery.isIndexMissing = isNew && broken == nil
    recovery.isSameBoot = isUsed && (limits.bootID.isEmpty || !index.isNewBoot)
    try GroupIntent.settle(&recovery, isNewIndex: isNew)
    try recovery.settleFinals(isNewIndex: isNew)
    try recovery.settleRecordings()
    // Without the old index or the bounds, the numbers are only known after a look at all pictures.
    let isUnbounded = isNew || limits == NumberLimits()
    try recovery.run(entries: isUnbounded ? .max : entries)
    _ = try index.assignUnassigned(to: configuration.targets)
    let isWhole = recovery.position == .end
    if isWhole { try recovery.conclude(lastPress: .max) }
    leftBehind = recovery.leftBehind
    var report = recovery.report
    report.rebuiltIndex = isNew && (broken != nil || report != RecoveryReport())
    report.brokenIndex = broken
    recovery.leftBehind = []
    recovery.events = []
    rest = isWhole ? nil : recovery
    self.index = index
    self.report = report
    boot = index.boot
    (lastSequence, lastPress) = try index.lastNumbers()
    // The number of a picture without a row that the background finds may not be given out again.
    nextSequence = isWhole ? lastSequence + 1 : max(lastSequence + 1, limits.sequence)
  }
}
