/// What lies in a shard's directory, told apart by name.
struct ShardListing {
  /// One item as its shard's directory shows it.
  struct Item {
    /// Extensions and lengths of the images.
    var images: [(fileExtension: String, status: FileStatus)] = []
    var hasSidecar = false

    func names(_ id: ItemID) -> [String] {
      images.map { SpoolLayout.imageName(id, $0.fileExtension) }
        + (hasSidecar ? [SpoolLayout.sidecarName(id)] : [])
    }
  }

  /// Every name.
  private(set) var names: [String] = []
  private(set) var items: [ItemID: Item] = [:]
  /// Files that were never finished.
  private(set) var parts: [String] = []
  /// Names that the spool does not make, symbolic links, directories and devices.
  private(set) var foreign: [String] = []

  /// Lists a directory; one that is missing is empty.
  init(_ directory: String, shard: String, files: any FileSystem) throws(SystemError) {
    guard try files.status(directory)?.kind == .directory else { return }
    names = try files.list(directory)
    for text in names {
      let name = SpoolLayout.name(text, in: shard)
      guard name != .foreign, let status = try files.status(directory + "/" + text),
        status.kind == .regular
      else {
        foreign.append(text)
        continue
      }
      switch name {
      case .part: parts.append(text)
      case .image(let id, let fileExtension):
        items[id, default: Item()].images.append((fileExtension, status))
      case .sidecar(let id): items[id, default: Item()].hasSidecar = true
      case .foreign: break
      }
    }
  }
}
