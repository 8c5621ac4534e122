import Digests

/// The paths of a spool's directory.
struct SpoolLayout: Hashable, Sendable {
  let root: String

  var database: String { root + "/queue.db" }
  /// The path of the mark that the database has contradicted itself.
  var distrust: String { root + "/queue.db.distrusted" }
  var ballast: String { root + "/ballast" }
  var items: String { root + "/items" }
  var quarantine: String { root + "/quarantine" }
  /// The path of the directory that holds the sources of proxies, and final pictures on their way.
  var sources: String { root + "/sources" }
  /// The path of the directory of recordings that are not stored yet.
  var recordings: String { root + "/recordings" }

  /// The names of the 256 directories that hold items.
  static let shards: [String] = (0...255).map { [UInt8($0)].hexadecimal }

  func shard(_ id: ItemID) -> String { shard(id.shard) }

  func shard(_ shard: String) -> String { items + "/" + shard }

  func image(_ id: ItemID, _ fileExtension: String) -> String {
    shard(id) + "/" + Self.imageName(id, fileExtension)
  }

  func sidecar(_ id: ItemID) -> String { shard(id) + "/" + Self.sidecarName(id) }

  func part(_ id: ItemID, _ fileExtension: String) -> String {
    shard(id) + "/." + Self.imageName(id, fileExtension) + ".part"
  }

  func recording(_ id: ItemID) -> String {
    recordings + "/" + Self.imageName(id, RecordingEntry.fileExtension)
  }

  /// Returns the path of a recording that is being removed; every start removes such a file.
  func discardedRecording(_ id: ItemID) -> String {
    recordings + "/." + Self.imageName(id, RecordingEntry.fileExtension) + ".part"
  }

  func recordingEntry(_ id: ItemID) -> String { recordings + "/" + Self.sidecarName(id) }

  func source(_ id: ItemID) -> String { sources + "/\(id).source" }

  func finalImage(_ id: ItemID) -> String { sources + "/" + Self.finalName(id) }

  func finalSidecar(_ id: ItemID) -> String { sources + "/" + Self.sidecarName(id) }

  static func finalName(_ id: ItemID) -> String { "\(id).final" }

  static func imageName(_ id: ItemID, _ fileExtension: String) -> String {
    "\(id).\(fileExtension)"
  }

  static func sidecarName(_ id: ItemID) -> String { "\(id).json" }

  /// Returns the item of a quarantined file: `<id>.<extension>` or `<n>-<id>.<extension>`.
  static func quarantinedID(_ name: String) -> ItemID? {
    let stem = name.prefix { $0 != "." }
    if let id = ItemID(String(stem)) { return id }
    guard let dash = stem.firstIndex(of: "-"), Int(stem[..<dash]) != nil else { return nil }
    return ItemID(String(stem[stem.index(after: dash)...]))
  }

  /// Returns the extension of a quarantined image; `nil` for a sidecar and for foreign files.
  static func quarantinedExtension(_ name: String) -> String? {
    guard quarantinedID(name) != nil, let dot = name.firstIndex(of: ".") else { return nil }
    let fileExtension = String(name[name.index(after: dot)...])
    return RemoteName.isValidFileExtension(fileExtension) ? fileExtension : nil
  }

  /// The meaning of a name in a shard.
  enum Name: Hashable {
    case image(ItemID, fileExtension: String)
    case sidecar(ItemID)
    /// A file that a crash interrupted; never acknowledged.
    case part
    /// A file that the spool did not make or that is in the wrong place.
    ///
    /// An unfinished file is also foreign when the spool may not continue from its number.
    case foreign
  }

  /// Reads a name found in a shard.
  static func name(_ text: String, in shard: String) -> Name {
    let isPart = text.hasPrefix(".") && text.hasSuffix(".part")
    let inner = isPart ? String(text.dropFirst().dropLast(5)) : text
    guard let dot = inner.firstIndex(of: "."), let id = ItemID(String(inner[..<dot])),
      id.shard == shard
    else { return .foreign }
    let fileExtension = String(inner[inner.index(after: dot)...])
    let isSidecar = fileExtension == "json"
    guard isSidecar || RemoteName.isValidFileExtension(fileExtension) else { return .foreign }
    if isPart { return id.isCountable ? .part : .foreign }
    return isSidecar ? .sidecar(id) : .image(id, fileExtension: fileExtension)
  }
}
