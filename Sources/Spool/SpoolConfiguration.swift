/// The spool's directory and limits.
package struct SpoolConfiguration: Sendable, Hashable {
  /// The treatment of a new picture when there is no room.
  package enum WhenFull: String, Sendable, Hashable, CaseIterable {
    /// The new picture is refused, so that no acknowledged picture is lost.
    case reject
    /// The oldest pictures that are neither delivered nor being delivered are removed.
    ///
    /// The removed pictures are lost for good. Each is reported as an ``AuditEvent`` and a
    /// ``SpoolEvent/evicted(_:)``.
    case evictOldest = "evict-oldest"
  }

  /// The room for one picture of any kind.
  package static let roomForPicture: Int64 = 32 << 20

  /// The directory, made with mode 0750 when it is missing; the parent directory must exist.
  ///
  /// The directory holds `queue.db`, `numbers.json`, `boots.json`, `lock`, `ballast`, `items/`,
  /// `quarantine/`, `recordings/` and `sources/`, and while a group is being stored `group.json`.
  package var directory: String
  /// The rig's name, the first part of remote names: 1 to 64 of `A-Z a-z 0-9 . _ -`, no dot first.
  package var rigID: String
  /// The bytes of the file system that stay free; a store that would use them is refused.
  package var minimumFreeBytes: Int64
  /// The maximum bytes of waiting and quarantined pictures; `nil` for as many as the disk holds.
  package var maximumBytes: Int64?
  /// The maximum number of waiting and quarantined pictures, 1 or more; `nil` for no limit.
  package var maximumItems: Int?
  /// The targets of new items, one or more; an item is done when all targets have it.
  ///
  /// The list may change from run to run. A new target gets the items that are stored from then on,
  /// no old ones. Items for a removed target keep waiting: they are shown, never removed, and
  /// delivered when the target comes back. Items that were stored for ``TargetID/unassigned`` wait
  /// for all targets of the list.
  package var targets: [TargetID]
  /// The treatment of a new picture when there is no room.
  package var whenFull: WhenFull
  /// The number of rows of removed items that are kept, 0...10,000,000.
  ///
  /// Rows are pruned a few at a time and not before the removal of their files is durable, so there
  /// may be about 4200 more. An exact duplicate of a pruned item is delivered. 100,000 rows take
  /// about 100 MB.
  package var historyItems: Int
  /// The number of finished presses in the ledger, 1...1,000,000; the oldest are pruned gradually.
  ///
  /// 20,000 presses take about 6 MB.
  package var ledgerPresses: Int
  /// The length of the ballast file, 0 for none, 64 KiB...1 GiB otherwise.
  ///
  /// The file is removed when the disk is too full to commit a receipt.
  package var ballastBytes: Int64
  /// The handling of proxies by target; ``ProxyPolicy/finalOnly`` for a target that has none.
  package var proxyPolicies: [TargetID: ProxyPolicy] = [:]
  /// The maximum number of sources of proxies.
  package var maximumSources = 24
  /// The maximum bytes of all sources of proxies, which also count as bytes of waiting pictures.
  package var maximumSourceBytes: Int64 = 2 << 30
  /// The bytes that stay free for a picture when a source gets its place or a recording grows.
  package var roomBesideSources = SpoolConfiguration.roomForPicture

  package init(
    directory: String, rigID: String, minimumFreeBytes: Int64 = 256 << 20,
    maximumBytes: Int64? = nil, maximumItems: Int? = nil, targets: [TargetID] = [.primary],
    whenFull: WhenFull = .reject, historyItems: Int = 100_000, ledgerPresses: Int = 20_000,
    ballastBytes: Int64 = 16 << 20
  ) {
    self.directory = directory
    self.rigID = rigID
    self.minimumFreeBytes = minimumFreeBytes
    self.maximumBytes = maximumBytes
    self.maximumItems = maximumItems
    self.targets = targets
    self.whenFull = whenFull
    self.historyItems = historyItems
    self.ledgerPresses = ledgerPresses
    self.ballastBytes = ballastBytes
  }

  /// Whether pictures are limited, or the oldest are removed for new ones.
  var limitsPictures: Bool {
    maximumBytes != nil || maximumItems != nil || whenFull == .evictOldest
  }

  /// Checks every value.
  ///
  /// - Throws: ``SpoolError`` with code `invalid`, which names the key.
  func validate() throws(SpoolError) {
    guard directory.hasPrefix("/"), !directory.utf8.contains(0) else {
      throw SpoolError(.invalid, directory, "is no absolute path for the spool's directory")
    }
    guard RemoteName.isValidRigID(rigID) else {
      throw SpoolError(
        .invalid, rigID, "is no rig ID; 1 to 64 letters, digits, '.', '_' or '-' are expected")
    }
    guard minimumFreeBytes >= 0, (maximumBytes ?? 1) > 0, (maximumItems ?? 1) > 0 else {
      throw SpoolError(
        .invalid, directory, "has a negative reserve or an empty limit of bytes or items")
    }
    guard (0...10_000_000).contains(historyItems) else {
      throw SpoolError(.invalid, "\(historyItems)", "is no length of history, 0 to 10000000")
    }
    guard (1...1_000_000).contains(ledgerPresses) else {
      throw SpoolError(
        .invalid, "\(ledgerPresses)", "is no count of presses in the ledger, 1 to 1000000")
    }
    guard ballastBytes == 0 || (64 << 10...1 << 30).contains(ballastBytes) else {
      throw SpoolError(
        .invalid, "\(ballastBytes)", "is no length of ballast, 0 or 65536 to 1073741824 bytes")
    }
    guard !targets.isEmpty, Set(targets).count == targets.count,
      targets.allSatisfy({ !$0.rawValue.isEmpty })
    else {
      throw SpoolError(.invalid, directory, "needs one or more targets, each named once")
    }
  }
}
