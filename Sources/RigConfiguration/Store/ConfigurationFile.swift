package import API
import Foundation
import Settings

/// The configuration file as the API shows it.
package struct ConfigurationFile: Sendable {
  let store: ConfigurationStore
  /// The configuration that the service has read; `nil` without a service.
  let running: ConfigurationSource?

  /// Makes the access to a file.
  ///
  /// - Parameters:
  ///   - store: the file with its history.
  ///   - running: the configuration that the service has read; `nil` without a service.
  package init(store: ConfigurationStore, running: ConfigurationSource?) {
    self.store = store
    self.running = running
  }

  /// Returns the text without secrets, its hash and its issues.
  package func configurationFile() async throws(APIError) -> ConfigurationReport {
    try await perform { () async throws(ConfigurationStore.Failure) in
      let text = try await store.text()
      return ConfigurationReport(
        path: store.path, hash: ConfigurationSource.hash(of: text), runningHash: running?.hash,
        text: ConfigurationText.masked(text),
        issues: store.issues(in: text).map(\.description))
    }
  }

  /// Returns the earlier texts, the newest first.
  package func configurationHistory() async throws(APIError) -> ConfigurationHistory {
    try await perform { () async throws(ConfigurationStore.Failure) in
      ConfigurationHistory(
        entries: await store.entries().map { ConfigurationHistoryEntry($0) })
    }
  }

  /// Returns the lines in which an earlier text differs from the file.
  package func configurationDifference(
    from number: Int
  ) async throws(APIError) -> ConfigurationDifference {
    try await perform { () async throws(ConfigurationStore.Failure) in
      guard let entry = await store.entries().first(where: { $0.number == number }) else {
        throw .unknown(number)
      }
      guard let text = entry.text else { throw store.damage(of: entry) }
      return ConfigurationDifference(
        entry: ConfigurationHistoryEntry(entry),
        lines: Self.difference(from: try await store.textOrNothing(), to: text))
    }
  }

  /// Returns the issues of a text, which is not stored.
  package func checkConfiguration(_ text: String) async -> ConfigurationCheckReport {
    let issues = store.issues(in: text, named: ConfigurationCheckReport.name)
    return ConfigurationCheckReport(issues: issues.map(\.description))
  }

  /// Sets all keys of a change or none.
  package func changeConfiguration(
    _ change: ConfigurationChange
  ) async throws(APIError) -> ConfigurationChangeReport {
    try await perform { () async throws(ConfigurationStore.Failure) in
      report(try await store.set(change.set, ifHash: change.ifHash))
    }
  }

  /// Restores an earlier text.
  package func rollBackConfiguration(
    _ rollback: ConfigurationRollback
  ) async throws(APIError) -> ConfigurationChangeReport {
    try await perform { () async throws(ConfigurationStore.Failure) in
      report(try await store.rollBack(to: rollback.to, ifHash: rollback.ifHash))
    }
  }

  func replaceConfiguration(
    by text: String
  ) async throws(APIError) -> ConfigurationChangeReport {
    try await perform { () async throws(ConfigurationStore.Failure) in
      report(try await store.replace(by: text))
    }
  }

  private func report(_ change: ConfigurationStore.Change) -> ConfigurationChangeReport {
    let hash = ConfigurationSource.hash(of: change.new)
    return ConfigurationChangeReport(
      hash: hash, lines: Self.difference(from: change.old, to: change.new),
      needsRestart: hash != running?.hash)
  }

  /// Returns the changed lines; secrets are masked first, so that no changed line shows one.
  private static func difference(from old: String, to new: String) -> [String] {
    ConfigurationText.difference(
      from: ConfigurationText.masked(old), to: ConfigurationText.masked(new))
  }

  private func perform<Value>(
    _ body: () async throws(ConfigurationStore.Failure) -> Value
  ) async throws(APIError) -> Value {
    do throws(ConfigurationStore.Failure) {
      return try await body()
    } catch {
      throw APIError(error, path: store.path)
    }
  }
}

extension ConfigurationHistoryEntry {
  fileprivate init(_ entry: ConfigurationStore.Entry) {
    self.init(
      number: entry.number, hash: ConfigurationSource.hash(of: entry.bytes),
      time: entry.time.map {
        ISO8601Time.text(nanoseconds: Int64($0.timeIntervalSince1970 * 1e9))
      },
      bytes: entry.bytes.count, problem: entry.problem)
  }
}

extension APIError {
  /// Makes the API's error for a failure of the store.
  fileprivate init(_ failure: ConfigurationStore.Failure, path: String) {
    switch failure {
    case .storage(let error):
      self.init(.unavailable, "The configuration file is not used: \(error).")
    case .changed(let hash):
      self.init(
        .configurationChanged,
        "\"\(path)\" was changed meanwhile and is left as it is: its hash is \(hash).")
    case .edit(let error): self.init(.invalidRequest, "\(error) The file is left as it is.")
    case .invalid(let issues):
      let list = issues.prefix(5).map(\.description).joined(separator: "; ")
      self.init(.invalidRequest, "The file would not be usable and is left as it is: \(list)")
    case .unknown(let number):
      self.init(.notFound, "There is no earlier text with the number \(number).")
    }
  }
}
