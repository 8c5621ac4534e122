import Glibc

/// The final picture of a proxy, and the order in which it takes the proxy's place.
extension ItemFiles {
  /// The open directories of a final picture, so that no step after the commit needs a descriptor.
  struct FinalDirectories {
    let sources: Int32
    let shard: Int32
  }

  /// Opens the directories of a final picture; the caller closes them.
  func openFinal(_ id: ItemID) throws(FileSystemError) -> FinalDirectories {
    let flags = O_RDONLY | O_DIRECTORY
    let sources = try files.open(layout.sources, flags: flags, mode: 0)
    do throws(FileSystemError) {
      let shard = try files.open(layout.shard(id), flags: flags, mode: 0)
      return FinalDirectories(sources: sources, shard: shard)
    } catch {
      files.close(sources)
      throw error
    }
  }

  /// Closes the directories of a final picture.
  func close(_ directories: FinalDirectories) {
    files.close(directories.shard)
    files.close(directories.sources)
  }

  /// Puts a final picture and its sidecar on stable storage beside the sources.
  ///
  /// The picture's name is durable first. So beside a sidecar alone, the picture has its place. The
  /// caller must remove leftovers of a failure with ``discardFinal(_:_:)``.
  func writeFinal(
    _ id: ItemID, image: [UInt8], sidecar: [UInt8], _ directories: FinalDirectories
  ) throws(FileSystemError) {
    try files.placeFile(SpoolLayout.finalName(id), in: layout.sources, image)
    try files.sync(directories.sources, path: layout.sources)
    try files.placeFile(SpoolLayout.sidecarName(id), in: layout.sources, sidecar)
    try files.sync(directories.sources, path: layout.sources)
  }

  /// Reads the sidecar of a final picture; `nil` for none, and for one that is not whole.
  func finalSidecar(_ id: ItemID) throws(FileSystemError) -> Sidecar? {
    do throws(FileSystemError) {
      let bytes = try files.readFile(layout.finalSidecar(id), limit: Sidecar.maximumBytes)
      return Sidecar.decode(bytes, id: id)
    } catch  where error.number == ENOENT || error.number == EFBIG {
      return nil
    }
  }

  /// Moves a final picture and then its sidecar into the proxy's place.
  ///
  /// The move needs neither room nor descriptors. A picture that is in its place already is left
  /// there.
  func placeFinal(
    _ id: ItemID, _ fileExtension: String, _ directories: FinalDirectories
  ) throws(FileSystemError) {
    let image = layout.finalImage(id)
    if try files.status(image) != nil {
      try move(image, to: layout.image(id, fileExtension), of: id, directories)
    }
    try move(layout.finalSidecar(id), to: layout.sidecar(id), of: id, directories)
  }

  private func move(
    _ path: String, to newPath: String, of id: ItemID, _ directories: FinalDirectories
  ) throws(FileSystemError) {
    try files.rename(path, to: newPath)
    try files.sync(directories.shard, path: layout.shard(id))
    try files.sync(directories.sources, path: layout.sources)
  }

  /// Removes every trace of a final picture that does not replace its proxy, durably.
  ///
  /// The picture goes last, because a sidecar alone would stand for a picture in its place.
  func discardFinal(_ id: ItemID, _ directories: FinalDirectories) throws(FileSystemError) {
    for name in [SpoolLayout.sidecarName(id), SpoolLayout.finalName(id)] {
      try removeIfPresent(layout.sources + "/" + name)
      try removeIfPresent(layout.sources + "/." + name + ".part")
      try files.sync(directories.sources, path: layout.sources)
    }
  }
}
