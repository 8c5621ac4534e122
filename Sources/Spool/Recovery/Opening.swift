/// An index that agrees with the files, and the numbers to go on from.
struct Opening {
  let index: ItemIndex
  let report: RecoveryReport
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
      try self.init(once: itemFiles, indexRecovery, configuration, limits)
    } catch  where error.code == .indexDamaged {
      indexRecovery.distrust()
      try self.init(once: itemFiles, indexRecovery, configuration, limits)
    }
  }

  private init(
    once itemFiles: ItemFiles, _ indexRecovery: IndexRecovery,
    _ configuration: SpoolConfiguration, _ limits: NumberLimits
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
    var report = try recovery.run()
    _ = try index.assignUnassigned(to: configuration.targets)
    do throws(SpoolError) {
      report.settledPresses = try index.settlePresses()
    } catch  where error.code == .full {
      // They are settled at the next start; a full disk stops no start for them.
    }
    index.history.mayPrune = recovery.unreadShards.isEmpty && !recovery.isQuarantineUnread
    leftBehind = recovery.leftBehind
    report.rebuiltIndex = isNew && (broken != nil || report != RecoveryReport())
    report.brokenIndex = broken
    self.index = index
    self.report = report
    boot = index.boot
    (lastSequence, lastPress) = try index.lastNumbers()
  }
}
