/// The final picture of a proxy, and the order in which it takes the proxy's place.
extension ItemFiles {
  /// Puts a final picture and its sidecar on stable storage beside the sources.
  ///
  /// The picture's name is durable first. So beside a sidecar alone, the picture has its place. The
  /// caller must remove leftovers of a failure with ``discardFinal(_:)``.
  func writeFinal(_ id: ItemID, image: [UInt8], sidecar: [UInt8]) throws(FileSystemError) {
    try files.replaceFile(SpoolLayout.finalName(id), in: layout.sources, image)
    try files.replaceFile(SpoolLayout.sidecarName(id), in: layout.sources, sidecar)
  }

  /// Moves a final picture and then its sidecar into the proxy's place; needs no room.
  ///
  /// A picture that is in its place already is left there.
  func placeFinal(_ id: ItemID, _ fileExtension: String) throws(FileSystemError) {
    let image = layout.finalImage(id)
    if try files.status(image) != nil {
      try move(image, to: layout.image(id, fileExtension), of: id)
    }
    try move(layout.finalSidecar(id), to: layout.sidecar(id), of: id)
  }

  private func move(
    _ path: String, to newPath: String, of id: ItemID
  ) throws(FileSystemError) {
    try files.rename(path, to: newPath)
    try files.syncDirectory(layout.shard(id))
    try files.syncDirectory(layout.sources)
  }

  /// Removes every trace of a final picture that does not replace its proxy, durably.
  ///
  /// The picture goes last, because a sidecar alone would stand for a picture in its place.
  func discardFinal(_ id: ItemID) throws(FileSystemError) {
    for name in [SpoolLayout.sidecarName(id), SpoolLayout.finalName(id)] {
      try removeIfPresent(layout.sources + "/" + name)
      try removeIfPresent(layout.sources + "/." + name + ".part")
      try files.syncDirectory(layout.sources)
    }
  }
}
