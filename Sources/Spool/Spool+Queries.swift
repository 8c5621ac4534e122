extension Spool {
  /// How many items are in which state.
  ///
  /// - Throws: ``SpoolError``: `closed`.
  public func counts() throws(SpoolError) -> SpoolCounts {
    try look { storage throws(SpoolError) in storage.currentCounts }
  }

  /// The item of a press; the first when there are several.
  ///
  /// - Throws: ``SpoolError``: `failed`, `closed`.
  public func item(pressNumber: Int64) throws(SpoolError) -> ItemRecord? {
    try look { storage throws(SpoolError) in try storage.records(.press(pressNumber)).first }
  }

  /// The item of an ID.
  ///
  /// - Throws: ``SpoolError``: `failed`, `closed`.
  public func item(_ id: ItemID) throws(SpoolError) -> ItemRecord? {
    try look { storage throws(SpoolError) in try storage.records(.id(id)).first }
  }

  /// The newest items in whatever state, the newest first.
  ///
  /// - Parameter limit: how many at most, 0...10,000; more are not given.
  /// - Throws: ``SpoolError``: `failed`, `closed`.
  public func recentItems(limit: Int) throws(SpoolError) -> [ItemRecord] {
    try look { storage throws(SpoolError) in
      try storage.records(.newest(min(limit, 10_000)))
    }
  }
}
