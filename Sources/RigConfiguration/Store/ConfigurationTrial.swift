import Foundation
package import Settings

/// The starts with a configuration that has not run well yet.
///
/// A text that the reader accepts may still end the service. After ``limit`` starts of one boot that
/// did not end in order, the last good text has as many. Then both alternate, because the cause may
/// lie elsewhere. A text that is the last good one is not counted, and so writes nothing.
package struct ConfigurationTrial: Sendable {
  /// The number of starts with one text before the other one is taken.
  static let limit = 3

  /// The record of the starts.
  struct Record: Codable, Hashable {
    /// The SHA-256 of the file's text.
    var hash: String
    /// The boot; a power cut is no fault of the text.
    var bootID: String
    /// The starts that did not end in order, with the present one.
    var starts = 0

    /// Whether the present start takes the last good text.
    var takesLastGood: Bool { (starts - 1) / limit % 2 == 1 }

    /// Counts a start; another text or another boot begins anew.
    mutating func noteStart(hash: String, bootID: String) {
      if self.hash != hash || self.bootID != bootID || !(0..<1_000_000).contains(starts) {
        self = Record(hash: hash, bootID: bootID)
      }
      starts += 1
    }
  }

  private let path: String
  /// The path without links, whose owner the record gets.
  private let owned: String
  private let file: DurableFile

  /// Takes the record in the history of a configuration file.
  package init(of path: String) {
    self.path = path
    let store = ConfigurationStore(path: path)
    owned = store.path
    file = DurableFile(directory: store.history, name: "starts.json")
  }

  /// Notes a start with the file's configuration.
  ///
  /// - Parameter bootID: the name of the present boot.
  /// - Returns: the last good configuration when it is to run instead, with the reason; else `nil`.
  package func begin(
    _ configuration: PlatenConfiguration, bootID: String
  ) -> (PlatenConfiguration, ConfigurationErrors)? {
    guard let hash = configuration.source?.hash, let good = PlatenConfiguration.goodText(of: path),
      ConfigurationSource.hash(of: good) != hash
    else { return nil }
    var record = self.record ?? Record(hash: hash, bootID: bootID)
    record.noteStart(hash: hash, bootID: bootID)
    guard let data = try? JSONEncoder().encode(record),
      // Without a record, as on a medium that cannot be written, the file has each start.
      (try? file.replace(Array(data), like: owned)) != nil, record.takesLastGood,
      let lastGood = PlatenConfiguration.lastGood(of: path)
    else { return nil }
    let reason = ConfigurationIssue(
      file: path, line: 1, column: 1, key: "", problem: Self.problem)
    return (lastGood, ConfigurationErrors(issues: [reason]))
  }

  /// Returns the configuration that the latest start took in place of the file's.
  package func replacement(of configuration: PlatenConfiguration) -> PlatenConfiguration? {
    guard let hash = configuration.source?.hash, hasFailed(hash: hash) else { return nil }
    return PlatenConfiguration.lastGood(of: path)
  }

  /// Notes that the service has ended in order: the next start takes the file.
  package func end() {
    if record != nil { try? file.remove() }
  }

  /// Returns whether the last good text runs in place of a text of the file.
  package func hasFailed(hash: String) -> Bool {
    record.map { $0.hash == hash && $0.takesLastGood } ?? false
  }

  /// The reason why the file is not used.
  package static let problem = "the service has ended \(limit) times with it soon after its start"

  private var record: Record? {
    guard let bytes = try? file.read(limit: 4096, followsLink: false) else { return nil }
    return try? JSONDecoder().decode(Record.self, from: Data(bytes))
  }
}
