/// An index that agrees with the files as far as there was time, and the numbers to go on from.
struct Opening {
  let index: ItemIndex
  let report: RecoveryReport
  /// What goes on behind; `nil` when all has been put in order.
  let rest: Recovery?
  /// What the medium has refused.
  let leftBehind: [SystemError]
  let boot: Int64
  let lastSequence: Int64
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
    // A new index knows neither numbers nor pictures before it has met all.
    try recovery.run(entries: isNew ? .max : entries)
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
    let last = try index.lastNumbers()
    lastPress = last.press
    // The number of a picture without a row that is met behind may not be given out again.
    let unmet =
      limits == NumberLimits() ? last.sequence + NumberLimits.step : limits.sequence - 1
    lastSequence = isWhole ? last.sequence : max(last.sequence, unmet)
  }
}
