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
  /// The number of earlier texts to keep.
  static let limit = 10
  /// The name of the last good text.
  static let goodName = "good.yaml"
  /// The ending of the names of earlier texts.
  private static let ending = ".yaml"
  /// The ending of the names of earlier files that are not text.
  private static let damagedEnding = ".damaged"

  /// An earlier text.
  struct Entry: Sendable, Hashable {
    /// The text's number in ascending order; 0 for the last good text.
    var number: Int
    /// The text; `nil` when it is damaged.
    var text: String?
    /// The readable bytes.
    var bytes: [UInt8] = []
    /// The time at which the text was replaced, by the wall clock.
    var time: Date?
    /// The reason why there is no text.
    var problem: String?
  }

  /// The current file.
  private struct Present {
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
  private nonisolated let file: DurableFile
  private nonisolated let history: String
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
    guard let bytes = try storage({ () throws(DeviceError) in try file.read() }) else {
      throw .storage(
        DeviceError(.absent, device: path, problem: "cannot be read", cause: "it is not there"))
    }
    return try decoded(bytes, path)
  }

  /// Reads the file's text for a comparison; empty when the file is missing or not text.
  func textOrNothing() throws(Failure) -> String { try present().text }

  private func present() throws(Failure) -> Present {
    guard let bytes = try storage({ () throws(DeviceError) in try file.read() }) else {
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

  // MARK: history

  /// Returns the earlier texts, the newest first; the last good text comes last.
  ///
  /// A damaged text has its problem and does not hide the other texts.
  func entries() -> [Entry] {
    (numbers(Self.ending).reversed() + [0]).compactMap { entry($0) }
  }

  /// Keeps the file's text as the last good one, if the file has not changed.
  ///
  /// - Parameter hash: the hash of the text that the service runs with.
  package func noteGood(hash: String) throws(Failure) {
    let text = try text()
    guard ConfigurationSource.hash(of: text) == hash else { return }
    if entry(0)?.text == text { return }
    try write(Array(text.utf8), name: Self.goodName)
  }

  /// Stores the file in the history; a file that is not text is kept byte by byte for examination.
  private func remember(_ old: Present) throws(Failure) {
    guard let bytes = old.bytes else { return }
    let ending = old.isText ? Self.ending : Self.damagedEnding
    let numbers = numbers(ending)
    try write(bytes, name: Self.name((numbers.last ?? 0) + 1, ending))
    // A file that cannot be removed now is removed the next time.
    for number in numbers.dropLast(Self.limit - 1) {
      try? DurableFile(directory: history, name: Self.name(number, ending)).remove()
    }
  }

  private func write(_ bytes: [UInt8], name: String) throws(Failure) {
    try storage { () throws(DeviceError) in
      try SharedDirectory.refuseLink(history)
      // The directory has the owner of the file's directory.
      try SharedDirectory.make(
        history, like: FileOwner(of: file.directory)?.with(0o770), followsLink: true)
      try DurableFile(directory: history, name: name).replace(bytes, like: path)
    }
  }

  private func numbers(_ ending: String) -> [Int] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: history)) ?? []
    return names.compactMap { name in
      guard name.hasSuffix(ending), let number = Int(name.dropLast(ending.count)) else {
        return nil
      }
      return (1..<1_000_000_000).contains(number) ? number : nil
    }.sorted()
  }

  private static func name(_ number: Int, _ ending: String) -> String {
    String(repeating: "0", count: max(0, 6 - "\(number)".count)) + "\(number)" + ending
  }

  private nonisolated func historyPath(_ number: Int) -> String {
    history + "/" + (number == 0 ? Self.goodName : Self.name(number, Self.ending))
  }

  private func entry(_ number: Int) -> Entry? {
    let path = historyPath(number)
    let name = String(path.dropFirst(history.count + 1))
    var entry = Entry(number: number)
    do throws(DeviceError) {
      guard let bytes = try DurableFile(directory: history, name: name).read() else { return nil }
      entry.bytes = bytes
      entry.text = WrittenText.text(of: bytes)
      if entry.text == nil { entry.problem = Self.noText }
    } catch {
      entry.problem = error.cause ?? error.problem
    }
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    entry.time = attributes?[.modificationDate] as? Date
    return entry
  }

  private static let noText = "it is neither UTF-8 nor UTF-16"

  private func decoded(_ bytes: [UInt8], _ path: String) throws(Failure) -> String {
    guard let text = WrittenText.text(of: bytes) else {
      throw .storage(
        DeviceError(.inputOutput, device: path, problem: "cannot be read", cause: Self.noText))
    }
    return text
  }

  private func storage<Value>(
    _ body: () throws(DeviceError) -> Value
  ) throws(Failure) -> Value {
    do throws(DeviceError) { return try body() } catch { throw .storage(error) }
  }
}
