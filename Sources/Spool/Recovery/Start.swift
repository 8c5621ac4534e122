/// The steps before a spool is open: index, files, numbers and boots.
struct Start {
  let opening: Opening
  let limits: NumberLimits
  let boots: BootHistory

  init(
    _ itemFiles: ItemFiles, _ configuration: SpoolConfiguration,
    _ environment: SpoolEnvironment, bootID: String
  ) throws(SpoolError) {
    let root = itemFiles.layout.root
    let storedLimits = NumberLimits.read(from: root, files: itemFiles.files)
    var limits = storedLimits ?? NumberLimits()
    opening = try Opening(
      itemFiles: itemFiles, configuration: configuration, limits: limits, bootID: bootID,
      environment: environment)
    limits.boot = opening.boot
    limits.bootID = bootID
    // The bounds are raised in advance, so that the first picture does not wait for the file.
    limits.raise(sequence: opening.lastSequence + 2, press: opening.lastPress + 2)
    if limits != storedLimits { try limits.write(to: root, files: itemFiles.files) }
    self.limits = limits
    boots = try Self.agree(opening.index, root, itemFiles.files)
  }

  /// Brings the boots in the file and in the database into agreement.
  private static func agree(
    _ index: ItemIndex, _ root: String, _ files: any FileSystem
  ) throws(SpoolError) -> BootHistory {
    let stored = BootHistory.read(from: root, files: files)
    let known = try index.synchronizedBoots(limit: BootHistory.limit)
    // The file is written first, so it is the newer one where the two differ.
    var history = BootHistory()
    for boot in known.values { history.add(boot) }
    for boot in stored.boots { history.add(boot) }
    if history != stored { try history.write(to: root, files: files) }
    let missing = history.boots.filter { known[$0.number] != $0 }
    if !missing.isEmpty { try index.keep(missing) }
    return history
  }
}
