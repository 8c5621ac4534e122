package import Devices
import Foundation
package import Settings

/// The configuration file, and its earlier texts beside it.
///
/// The file `NAME` has the directory `NAME.history`. The directory contains up to ten earlier texts
/// and `good.yaml`, the last text with which the service ran well.
///
/// A text is replaced durably, and only by a text that the real reader accepts. The replaced text
/// goes into the history first. A file that is not text goes there too, under a name that ends with
/// `.damaged`.
package actor ConfigurationStore {
  /// The current file.
  struct Present {
    /// The text; empty when the file is missing or not text.
    var text: String
    /// The bytes; `nil` when the file is missing.
    var bytes: [UInt8]?
    var isText = true

    var hash: String {
      ConfigurationSource.hash(of: isText ? Array(text.utf8) : bytes ?? [])
    }
  }

  /// A completed change.
  struct Change: Sendable, Hashable {
    var old: String
    var new: String
  }

  /// The reason why nothing was changed.
  package enum Failure: Error, Hashable {
    /// The file or its history cannot be read or written.
    case storage(DeviceError)
    /// The file is not the expected one; the value is its hash.
    case changed(String)
    /// The key cannot be set.
    case edit(ConfigurationEditError)
    /// The reader does not accept the new text.
    case invalid([ConfigurationIssue])
    /// The earlier text does not exist.
    case unknown(Int)
  }

  /// The file's path with links resolved.
  nonisolated let path: String
  private let executor = DispatchQueueExecutor(label: "platen.configuration")
  nonisolated let file: DurableFile
  nonisolated let history: String
  /// The path with the links of its directory resolved, but not that of the file.
  private nonisolated let givenPath: String

  /// The executor of the actor: reading and writing files would block the shared threads.
  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  /// Takes the file at a path, and the history beside it.
  package init(path: String) {
    let given = URL(fileURLWithPath: path).absoluteURL
    let unresolved = given.deletingLastPathComponent().resolvingSymlinksInPath()
      .appendingPathComponent(given.lastPathComponent)
    let url = unresolved.resolvingSymlinksInPath()
    givenPath = unresolved.path
    self.path = url.path
    file = DurableFile(
      directory: url.deletingLastPathComponent().path, name: url.lastPathComponent)
    history = url.path + ".history"
  }

  /// Reads the file's text.
  func text() throws(Failure) -> String {
    guard
      let bytes = try storage({ () throws(DeviceError) in try file.read(followsLink: false) })
    else {
      throw .storage(
        DeviceError(.absent, device: path, problem: "cannot be read", cause: "it is not there"))
    }
    return try decoded(bytes, path)
  }

  /// Reads the file's text for a comparison; empty when the file is missing or not text.
  func textOrNothing() throws(Failure) -> String { try present().text }

  private func present() throws(Failure) -> Present {
    guard
      let bytes = try storage({ () throws(DeviceError) in try file.read(followsLink: false) })
    else {
      return Present(text: "")
    }
    let text = WrittenText.text(of: bytes)
    return Present(text: text ?? "", bytes: bytes, isText: text != nil)
  }

  /// Returns the issues that the real reader finds in a text.
  ///
  /// - Parameter name: the text's name in an issue; the file's path by default.
  nonisolated func issues(in text: String, named name: String? = nil) -> [ConfigurationIssue] {
    do throws(ConfigurationErrors) {
      _ = try PlatenConfiguration.parse(text, file: name ?? path)
      return []
    } catch {
      return error.issues
    }
  }

  /// Sets all keys or none, and gives keys of an earlier version their present names.
  ///
  /// - Parameters:
  ///   - values: the values in YAML by the paths of their keys, in whose order they are set.
  ///   - hash: the hash that the file must have; `nil` for any.
  func set(_ values: [String: String], ifHash hash: String?) throws(Failure) -> Change {
    let old = try text(ifHash: hash)
    var editor = ConfigurationEditor(old)
    for moved in (try? PlatenConfiguration.parse(old, file: path))?.movedKeys ?? [] {
      editor.renameKey(at: moved.formerPath, to: moved.name)
    }
    let renamed = editor.text
    let keys = PlatenConfiguration.keys
    for (key, value) in values.sorted(by: { $0.key < $1.key }) {
      let key = keys.presentPath(of: key)
      if let name = key.split(separator: ".").last, ConfigurationText.mayHoldSecret(String(name)) {
        throw .edit(
          ConfigurationEditError(
            key: String(key.prefix(100)),
            problem: "may not hold a secret; write it to a file and name that by a key that ends "
              + "with \"_file\""))
      }
      do throws(ConfigurationEditError) { try editor.set(key, to: value) } catch {
        throw .edit(error)
      }
    }
    if let key = ReservedKeys.firstChange(from: renamed, to: editor.text) {
      throw .edit(ConfigurationEditError(key: key, problem: ReservedKeys.problem))
    }
    return try replace(old, by: editor.text)
  }

  /// Restores an earlier text, even if the file is missing or damaged.
  ///
  /// - Parameter number: the text's number. With `nil`, the newest text is restored, or the last
  ///   good text if the current file cannot be used.
  func rollBack(to number: Int?, ifHash hash: String?) throws(Failure) -> Change {
    let old = try present()
    if let hash, hash != old.hash { throw .changed(old.hash) }
    let entries = entries()
    let wanted: Entry? =
      if let number {
        entries.first { $0.number == number }
      } else {
        nextBest(entries, after: old.text)
      }
    guard let entry = wanted else { throw .unknown(number ?? 1) }
    guard let text = entry.text else { throw damage(of: entry) }
    // An administrator's later changes of reserved keys stay. A file that cannot be used has none.
    if old.isText, issues(in: old.text).isEmpty, issues(in: text).isEmpty,
      let key = ReservedKeys.firstChange(from: old.text, to: text)
    {
      throw .edit(ConfigurationEditError(key: key, problem: ReservedKeys.problem))
    }
    // A missing file gets the owner that it had when this text was stored.
    return try replace(old, by: text, like: old.bytes == nil ? historyPath(entry.number) : path)
  }

  /// Replaces the file as a whole, also one that is missing or damaged.
  ///
  /// A missing file gets the owner and the group of its directory.
  func replace(by new: String) throws(Failure) -> Change {
    let old = try present()
    return try replace(old, by: new, like: old.bytes == nil ? file.directory : path)
  }

  /// Returns the text to restore when none is named.
  private func nextBest(_ entries: [Entry], after text: String) -> Entry? {
    let sound = entries.filter { $0.text != nil }
    guard !issues(in: text).isEmpty else { return sound.first }
    let good = sound.filter { $0.number == 0 } + sound.filter { $0.number != 0 }
    return good.first { issues(in: $0.text ?? "").isEmpty } ?? good.first
  }

  /// Returns the error of an earlier text that cannot be used.
  nonisolated func damage(of entry: Entry) -> Failure {
    .storage(
      DeviceError(
        .inputOutput, device: historyPath(entry.number), problem: "cannot be read",
        cause: entry.problem))
  }

  private func text(ifHash hash: String?) throws(Failure) -> String {
    let old = try text()
    let found = ConfigurationSource.hash(of: old)
    if let hash, hash != found { throw .changed(found) }
    return old
  }

  private func replace(_ old: String, by new: String) throws(Failure) -> Change {
    try replace(Present(text: old, bytes: Array(old.utf8)), by: new, like: path)
  }

  private func replace(
    _ old: Present, by new: String, like model: String
  ) throws(Failure) -> Change {
    let change = Change(old: old.text, new: new)
    guard old.text != new else { return change }
    let issues = issues(in: new)
    guard issues.isEmpty else { throw .invalid(issues) }
    try storage { () throws(DeviceError) in try refuseLinks() }
    try remember(old)
    let owner = FileOwner(of: model)?.with(0o666)
    try storage { () throws(DeviceError) in try file.replace(Array(new.utf8), owner: owner) }
    return change
  }

  /// Refuses links that another account may have made, when root is to write.
  ///
  /// - Throws: `DeviceError`, code `permissionDenied`.
  nonisolated func refuseLinks() throws(DeviceError) {
    // The account may have put a file in the link's place since the path was resolved.
    try SharedDirectory.refuseLink(givenPath, wasLink: givenPath != path)
    try SharedDirectory.refuseLink(history)
  }

  static let noText = "it is neither UTF-8 nor UTF-16"

  private func decoded(_ bytes: [UInt8], _ path: String) throws(Failure) -> String {
    guard let text = WrittenText.text(of: bytes) else {
      throw .storage(
        DeviceError(.inputOutput, device: path, problem: "cannot be read", cause: Self.noText))
    }
    return text
  }

  func storage<Value>(
    _ body: () throws(DeviceError) -> Value
  ) throws(Failure) -> Value {
    do throws(DeviceError) { return try body() } catch { throw .storage(error) }
  }
}
