/// The names in a shard's directory, sorted by kind.
struct ShardListing {
  /// The files of an item in its shard's directory.
  struct Item {
    /// Extensions and lengths of the images.
    var images: [(fileExtension: String, status: FileStatus)] = []
    var hasSidecar = false
    /// Names of the item that are symbolic links, directories or devices.
    var foreign: [String] = []

    var isEmpty: Bool { images.isEmpty && !hasSidecar }

    func names(_ id: ItemID) -> [String] {
      images.map { SpoolLayout.imageName(id, $0.fileExtension) }
        + (hasSidecar ? [SpoolLayout.sidecarName(id)] : [])
    }
  }

  /// Every name.
  private(set) var names: [String] = []
  /// The names of images and sidecars.
  private(set) var items: [ItemID: [String]] = [:]
  /// The names of unfinished files.
  private(set) var parts: [String] = []
  /// Names that the spool does not make, and links, directories and devices with a part's name.
  private(set) var foreign: [String] = []
  private var directory = ""
  private var shard = ""

  init() {}

  /// Lists a directory; a missing directory gives an empty listing.
  init(_ directory: String, shard: String, files: any FileSystem) throws(FileSystemError) {
    guard try files.status(directory)?.kind == .directory else { return }
    self.directory = directory
    self.shard = shard
    names = try files.list(directory)
    for text in names {
      switch SpoolLayout.name(text, in: shard) {
      case .image(let id, _), .sidecar(let id): items[id, default: []].append(text)
      case .part where try files.status(directory + "/" + text)?.kind == .regular:
        parts.append(text)
      case .part, .foreign: foreign.append(text)
      }
    }
  }

  /// Looks up the files of an item as they are now, without files that have gone since.
  func item(_ id: ItemID, files: any FileSystem) throws(FileSystemError) -> Item {
    var item = Item()
    for text in items[id] ?? [] {
      guard let status = try files.status(directory + "/" + text) else { continue }
      switch SpoolLayout.name(text, in: shard) {
      case _ where status.kind != .regular: item.foreign.append(text)
      case .image(_, let fileExtension): item.images.append((fileExtension, status))
      case .sidecar: item.hasSidecar = true
      case .part, .foreign: break
      }
    }
    return item
  }
}
