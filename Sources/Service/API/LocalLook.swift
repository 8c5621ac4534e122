import API
import Devices
import Doctor
import Logging
import RigConfiguration
import Spool

/// The API's answers about a rig while the service does not run: for `platend --look`.
package struct LocalLook: Sendable {
  /// The kinds of answers.
  package enum Matter: String, Sendable, Hashable, CaseIterable {
    /// The newest entries of the audit log.
    case audit
    /// The network and the reachability of each target.
    case network
    /// The time.
    case time
  }

  private let path: String

  /// Makes the answers for the rig that a configuration file describes; nothing is changed.
  package init(configurationPath: String) { path = configurationPath }

  /// Returns the answer in JSON.
  ///
  /// - Throws: ``API/APIError``, code ``API/APIError/Code/unavailable``, when the configuration
  ///   cannot be used, or the file may not be read.
  package func look(at matter: Matter) async throws -> [UInt8] {
    switch matter {
    case .audit:
      let log = AuditFile(
        directory: try PlatenConfiguration.usable(at: path).spool.directory,
        logger: Logger(label: "platend") { _ in SwiftLogNoOpLogHandler() })
      return try APICoding.encode(AuditEntryList(entries: try await log.entries(limit: 1000)))
    case .network:
      let targets = (try? PlatenConfiguration.usable(at: path))?.targets ?? []
      return try APICoding.encode(
        await NetworkReport.ofMachine(targets: targets, isService: false))
    case .time:
      return try APICoding.encode(TimeReport.ofMachine(isBootDated: nil, bootID: BootID.current))
    }
  }
}

extension PlatenConfiguration {
  /// Returns a file's configuration for work without the service.
  ///
  /// - Throws: ``API/APIError``, code ``API/APIError/Code/unavailable``, when the file cannot be
  ///   used.
  static func usable(at path: String) throws(APIError) -> PlatenConfiguration {
    do {
      return try PlatenConfiguration.load(path: path)
    } catch {
      throw APIError(.unavailable, "The configuration cannot be used: \(error)")
    }
  }
}
