/// Where the spool lives and how much it may hold.
public struct SpoolConfiguration: Sendable, Hashable {
  /// The directory, made with mode 0750 when it is missing; its parent has to exist.
  ///
  /// It holds `queue.db`, `numbers.json`, `lock`, `items/` and `quarantine/`.
  public var directory: String
  /// The rig's name, the first part of remote names: 1 to 64 of `A-Z a-z 0-9 . _ -`, no dot first.
  public var rigID: String
  /// How many bytes of the file system stay free; a store that would use them is refused.
  public var minimumFreeBytes: Int64
  /// How many bytes of pictures may wait for delivery; `nil` for as many as the disk holds.
  public var maximumBytes: Int64?
  /// Where new items have to be delivered, one or more; an item is done when all have it.
  public var targets: [TargetID]

  /// Makes a configuration.
  public init(
    directory: String, rigID: String, minimumFreeBytes: Int64 = 256 << 20,
    maximumBytes: Int64? = nil, targets: [TargetID] = [.primary]
  ) {
    self.directory = directory
    self.rigID = rigID
    self.minimumFreeBytes = minimumFreeBytes
    self.maximumBytes = maximumBytes
    self.targets = targets
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
    guard minimumFreeBytes >= 0, (maximumBytes ?? 1) > 0 else {
      throw SpoolError(.invalid, directory, "has a negative reserve or an empty byte limit")
    }
    guard !targets.isEmpty, Set(targets).count == targets.count,
      targets.allSatisfy({ !$0.rawValue.isEmpty })
    else {
      throw SpoolError(.invalid, directory, "needs one or more targets, each named once")
    }
  }
}
