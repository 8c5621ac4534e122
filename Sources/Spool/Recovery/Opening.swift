/// An index that agrees with the files as far as there was time, and the numbers to go on from.
struct Opening {
  let index: ItemIndex
  let report: RecoveryReport
  /// The rest of the recovery, which goes on behind; `nil` when all has been put in order.
  let rest: Recovery?
  /// What the medium has refused.
  let leftBehind: [SystemError]
  let boot: Int64
  let lastSequence: Int64
  let nextSequence: Int64
  let lastPress: Int64

  /// Opens the index and goes through the files.
  ///
  /// A database that contradicts itself on the way is put aside once, as one that cannot be opened
  /// is, so that the service does not fail again at each start.
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
    do throws(SystemError) {
      try itemFiles.prepare()
    } catch {
      throw SpoolError(writing: error)
    }
    var recovery = Recovery(itemFiles: itemFiles, index: index, configuration: configuration)
    recovery.isIndexMissing = isNew && broken == nil
    recovery.isSameBoot = limits.bootID.isEmpty || !index.isNewBoot
    // Without the old index or the bounds of numbers, all pictures have to be met to know these.
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
    // The number of a picture without a row that is met behind may not be given out again.
    nextSequence = isWhole ? lastSequence + 1 : max(lastSequence + 1, limits.sequence)
  }
}
