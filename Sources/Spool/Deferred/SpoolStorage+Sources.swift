import Devices

/// The sources of final pictures: their room, their places and their lengths.
extension SpoolStorage {
  /// The length of a source that has no item yet.
  struct PendingBytes {
    /// The length of the whole source.
    var bytes: Int64
    /// Whether the source is on stable storage, so that the file system counts it.
    var isWritten = false
  }

  /// The bytes of all sources, also of those without an item.
  var sourceBytes: Int64 {
    proxies.values.reduce(pendingBytes) { $0 + $1.bytes }
  }

  /// The bytes of the sources that have no item yet.
  private var pendingBytes: Int64 { pendingSources.values.reduce(0) { $0 + $1.bytes } }

  /// Returns the bytes of the sources that a picture without room takes the place of.
  ///
  /// A source without an item goes before its own picture is refused.
  func sparedSourceBytes() throws(SpoolError) -> Int64 {
    var bytes = pendingBytes
    for (id, proxy) in proxies {
      if try spareRow(id, proxy)?.state.isWaiting == true { bytes += proxy.bytes }
    }
    return bytes
  }

  /// Gives a source a place, if the limits and the disk have room for it and for a picture.
  func beginSource(byteCount: Int64) throws(SpoolError) -> PendingSource {
    let bytes = byteCount + Int64(SourceFiles.digestBytes)
    guard proxies.count + pendingSources.count < configuration.maximumSources,
      sourceBytes + bytes <= configuration.maximumSourceBytes
    else { throw SpoolError(.full, layout.sources, "has as many frames as the limits allow") }
    let unwritten: Int64 = pendingSources.values.reduce(0) { $0 + ($1.isWritten ? 0 : $1.bytes) }
    let needed = bytes + configuration.roomBesideSources
    if let shortage = try shortageNow(bytes: needed, written: needed + unwritten) {
      throw refusal(shortage)
    }
    try itemFiles.perform { () throws(FileSystemError) in
      try environment.files.makeDurableDirectory(layout.sources, in: layout.root)
    }
    let name = String(environment.random(), radix: 16)
    let source = PendingSource(path: layout.sources + "/.\(name).source.part", byteCount: bytes)
    pendingSources[source.path] = PendingBytes(bytes: bytes)
    return source
  }

  /// Removes a source that gets no item.
  func discard(_ source: PendingSource) throws(SpoolError) {
    guard pendingSources.removeValue(forKey: source.path) != nil else { return }
    _ = try hasRemoved { () throws(FileSystemError) in try itemFiles.removeIfPresent(source.path) }
  }

  /// Gives a source its item's name, durably.
  func place(_ source: PendingSource, of id: ItemID) throws(SpoolError) {
    proxies[id] = Proxy(bytes: source.byteCount)
    try itemFiles.perform { () throws(FileSystemError) in
      try environment.files.rename(source.path, to: layout.source(id))
      try environment.files.syncDirectory(layout.sources)
    }
  }
}
