import Devices
import Foundation

/// The earlier texts of the configuration file, and the last good one.
extension ConfigurationStore {
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
  func remember(_ old: Present) throws(Failure) {
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

  nonisolated func historyPath(_ number: Int) -> String {
    history + "/" + (number == 0 ? Self.goodName : Self.name(number, Self.ending))
  }

  private func entry(_ number: Int) -> Entry? {
    let path = historyPath(number)
    let name = String(path.dropFirst(history.count + 1))
    var entry = Entry(number: number)
    do throws(DeviceError) {
      let file = DurableFile(directory: history, name: name)
      guard let bytes = try file.read(followsLink: false) else { return nil }
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
}
