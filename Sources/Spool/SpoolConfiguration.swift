/// Where the spool lives and how much it may hold.
public struct SpoolConfiguration: Sendable, Hashable {
  /// What happens to a new picture when there is no room for it.
  public enum WhenFull: String, Sendable, Hashable, Codable {
    /// It is refused: nothing that was acknowledged is given up.
    case reject
    /// The oldest pictures that are neither delivered nor being delivered are removed for it.
    ///
    /// They are lost for good. Each is an ``AuditEvent`` and a ``SpoolEvent/evicted(_:)``.
    case evictOldest
  }

  /// The directory, made with mode 0750 when it is missing; its parent has to exist.
  ///
  /// It holds `queue.db`, `numbers.json`, `boots.json`, `lock`, `ballast`, `items/` and
  /// `quarantine/`.
  public var directory: String
  /// The rig's name, the first part of remote names: 1 to 64 of `A-Z a-z 0-9 . _ -`, no dot first.
  public var rigID: String
  /// How many bytes of the file system stay free; a store that would use them is refused.
  public var minimumFreeBytes: Int64
  /// How many bytes of pictures may wait for delivery or be quarantined; `nil` for as many as the disk holds.
  public var maximumBytes: Int64?
  /// How many pictures may wait for delivery or be quarantined, 1 or more; `nil` for as many as the disk holds.
  public var maximumItems: Int?
  /// Where new items have to be delivered, one or more; an item is done when all have it.
  ///
  /// It may change from run to run. A target that is new gets the items that are stored from then
  /// on, no old ones. What waits for a target that is gone keeps waiting: it is shown and never
  /// removed, and is delivered when the target comes back. What was stored for
  /// ``TargetID/unassigned`` waits for all of them.
  public var targets: [TargetID]
  /// What happens when there is no room.
  public var whenFull: WhenFull
  /// How many rows of items that are gone are kept, 0...10,000,000.
  ///
  /// They are pruned a few at a time and not before the removal of their files is durable, so up to
  /// about 4200 more may be there. An exact duplicate of an item that has been pruned is delivered.
  /// 100,000 rows take about 100 MB.
  public var historyItems: Int
  /// How many finished presses the ledger holds, 1...1,000,000; the oldest are pruned a few at a time.
  ///
  /// 20,000 presses take about 6 MB.
  public var ledgerPresses: Int
  /// The length of the ballast file, 0 for none, 64 KiB...1 GiB otherwise.
  ///
  /// It makes way when the disk is so full that no receipt can be committed.
  public var ballastBytes: Int64

  /// Makes a configuration.
  public init(
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

  /// Whether pictures are limited, or the oldest make way for new ones.
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
