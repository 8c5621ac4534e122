import Glibc

/// The images and sidecars, and the order in which they reach the disk.
struct ItemFiles: Sendable {
  let layout: SpoolLayout
  let files: any FileSystem

  /// Runs calls of the file system, and turns their failure into the spool's error.
  func perform<Value>(
    _ body: () throws(FileSystemError) -> Value
  ) throws(SpoolError) -> Value {
    do throws(FileSystemError) {
      return try body()
    } catch {
      throw SpoolError(writing: error)
    }
  }

  /// Makes the directories durable, and removes the leftovers of a crash beside them.
  ///
  /// - Returns: whether an earlier start has made the directory of all items.
  func prepare() throws(FileSystemError) -> Bool {
    let isUsed = try files.status(layout.items) != nil
    try files.makeDurableDirectory(layout.items, in: layout.root)
    try files.makeDurableDirectory(layout.quarantine, in: layout.root)
    makeShards()
    for name in [NumberLimits.fileName, BootHistory.fileName, GroupIntent.fileName] {
      let part = layout.root + "/." + name + ".part"
      if try files.status(part)?.kind == .regular { try files.unlink(part) }
    }
    // Changes that a killed process left in the page cache look durable and are not.
    try files.syncDirectory(layout.items)
    try files.syncDirectory(layout.root)
    return isUsed
  }

  /// Makes the missing shards, so that no picture waits for one; ``prepare()`` makes them durable.
  ///
  /// Without four times the room that all shards take, each is made for its first picture.
  private func makeShards() {
    guard let names = try? files.list(layout.items), let room = try? files.room(layout.root),
      room.freeBytes >= 4 << 20, room.freeFiles ?? .max >= 1024
    else { return }
    let present = Set(names)
    for shard in SpoolLayout.shards where !present.contains(shard) {
      do throws(FileSystemError) {
        try files.makeDirectory(layout.shard(shard), mode: 0o750)
      } catch {
        return
      }
    }
  }

  /// Makes the directory of an item durable, unless the start has made it.
  func makeShard(_ id: ItemID) throws(FileSystemError) {
    try files.makeDurableDirectory(layout.shard(id), in: layout.items)
  }

  /// Puts an image on stable storage, under the name of an unfinished file.
  ///
  /// - Throws: ``FileSystemError``; the caller must then remove leftovers with ``discard(_:_:)``.
  func write(_ id: ItemID, _ fileExtension: String, image: [UInt8]) throws(FileSystemError) {
    try files.writeNewFile(layout.part(id, fileExtension), image)
  }

  /// Puts the sidecar of an unfinished image on stable storage, and gives both files their names.
  ///
  /// Both files are whole before either has its name. The sidecar gets its name before the image,
  /// and the names are durable at the end. So a visible image is complete and can be adopted.
  ///
  /// - Throws: ``FileSystemError``; the caller must then remove leftovers with ``discard(_:_:)``.
  func finish(_ id: ItemID, _ fileExtension: String, sidecar: [UInt8]) throws(FileSystemError) {
    try files.writeNewFile(layout.part(id, "json"), sidecar)
    try files.rename(layout.part(id, "json"), to: layout.sidecar(id))
    try files.rename(layout.part(id, fileExtension), to: layout.image(id, fileExtension))
    try files.syncDirectory(layout.shard(id))
  }

  /// Removes every trace of an item that was refused.
  ///
  /// The removal is made durable too, so that a refused picture does not appear after a crash.
  func discard(_ id: ItemID, _ fileExtension: String) throws(FileSystemError) {
    for path in [
      layout.part(id, fileExtension), layout.part(id, "json"), layout.image(id, fileExtension),
      layout.sidecar(id),
    ] {
      try removeIfPresent(path)
    }
    try syncShard(id.shard)
  }

  /// Makes removals from a shard durable; does nothing when the shard has no directory.
  func syncShard(_ shard: String) throws(FileSystemError) {
    let path = layout.shard(shard)
    if try files.status(path) != nil { try files.syncDirectory(path) }
  }

  /// Writes a sidecar beside an image, and replaces an existing one.
  func rewriteSidecar(_ id: ItemID, _ sidecar: [UInt8]) throws(FileSystemError) {
    try files.replaceFile(SpoolLayout.sidecarName(id), in: layout.shard(id), sidecar)
  }

  /// Removes the files of an item whose row allows it; the image first.
  ///
  /// The removal needs no `fsync`. The next start removes files that a crash brings back.
  func remove(_ id: ItemID, _ fileExtension: String) throws(FileSystemError) {
    try removeIfPresent(layout.image(id, fileExtension))
    try removeIfPresent(layout.sidecar(id))
  }

  /// Removes the files of items from the quarantine, durably.
  ///
  /// A picture that a person has deleted must not appear after its row has been pruned.
  ///
  /// - Complexity: O(files of the quarantine), with one `fsync`.
  func removeQuarantined(_ ids: Set<ItemID>) throws(FileSystemError) {
    guard !ids.isEmpty else { return }
    var hasRemoved = false
    for name in try files.list(layout.quarantine) {
      guard let id = SpoolLayout.quarantinedID(name), ids.contains(id) else { continue }
      try removeIfPresent(layout.quarantine + "/" + name)
      hasRemoved = true
    }
    if hasRemoved { try files.syncDirectory(layout.quarantine) }
  }

  /// Moves files of a shard to the quarantine, under a name that is free there.
  func quarantine(_ names: [String], of id: ItemID) throws(FileSystemError) {
    var moved = false
    for name in names {
      let path = layout.shard(id) + "/" + name
      guard try files.status(path)?.kind == .regular else { continue }
      var target = layout.quarantine + "/" + name
      var copy = 1
      while try files.status(target) != nil {
        copy += 1
        target = layout.quarantine + "/\(copy)-" + name
      }
      try files.rename(path, to: target)
      moved = true
    }
    guard moved else { return }
    try files.syncDirectory(layout.quarantine)
    try files.syncDirectory(layout.shard(id))
  }

  /// Restores an image from the quarantine, or from its own place, beside its sidecar.
  ///
  /// Image and sidecar are on stable storage when this returns. Another image in the place is moved
  /// to the quarantine.
  ///
  /// - Parameters:
  ///   - path: the image, which is known to be intact.
  ///   - sidecar: the sidecar to write; `nil` when the existing sidecar describes the image.
  func restore(
    _ id: ItemID, _ fileExtension: String, from path: String, sidecar: [UInt8]?
  ) throws(FileSystemError) {
    let image = layout.image(id, fileExtension)
    try files.makeDurableDirectory(layout.shard(id), in: layout.items)
    // The program that brought the image back may not have made it durable.
    try files.syncFile(path)
    if path != image, try files.status(image) != nil {
      try quarantine([SpoolLayout.imageName(id, fileExtension)], of: id)
    }
    if let sidecar {
      try rewriteSidecar(id, sidecar)
    } else {
      try files.syncFile(layout.sidecar(id))
      try files.syncDirectory(layout.shard(id))
    }
    guard path != image else { return }
    try files.rename(path, to: image)
    try files.syncDirectory(layout.shard(id))
    try files.syncDirectory(layout.quarantine)
  }

  func removeIfPresent(_ path: String) throws(FileSystemError) {
    do throws(FileSystemError) {
      try files.unlink(path)
    } catch  where error.number == ENOENT {
      return
    }
  }
}
