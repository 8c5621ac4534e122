import API
import Devices
import Logging

/// What can be seen of a rig while no service runs, as the API would tell it: for `platend --look`.
public struct LocalLook: Sendable {
  /// What can be looked at.
  public enum Matter: String, Sendable, Hashable, CaseIterable {
    /// The newest entries of the audit log.
    case audit
    /// The network, and how far each target can be reached.
    case network
    /// The time.
    case time
  }

  private let path: String

  /// Looks at the rig that a configuration file describes; nothing is changed.
  public init(configurationPath: String) { path = configurationPath }

  /// The answer in JSON.
  ///
  /// - Throws: ``API/APIError``, code ``API/APIError/Code/unavailable``, when the configuration
  ///   cannot be used, or the file may not be read.
  public func look(at matter: Matter) async throws -> [UInt8] {
    switch matter {
    case .audit:
      let log = AuditFile(
        directory: try PlatenConfiguration.usable(at: path).spool.directory,
        logger: Logger(label: "platend") { _ in SwiftLogNoOpLogHandler() })
      return try APICoding.encode(AuditEntryList(entries: try await log.entries(limit: 1000)))
    case .network:
      let targets = (try? PlatenConfiguration.usable(at: path))?.targets ?? []
      return try APICoding.encode(
        await NetworkReport.ofMachine(
          targets: targets.compactMap { TargetCheck.Target($0).place },
          mayRead: TargetProbe.isReadable))
    case .time:
      return try APICoding.encode(TimeReport.ofMachine(isBootDated: nil))
    }
  }
}

extension PlatenConfiguration {
  /// The configuration that a file has, for what is done without the service.
  ///
  /// - Throws: ``API/APIError``, code ``API/APIError/Code/unavailable``, when it cannot be used.
  static func usable(at path: String) throws(APIError) -> PlatenConfiguration {
    do {
      return try PlatenConfiguration.load(path: path)
    } catch {
      throw APIError(.unavailable, "The configuration cannot be used: \(error)")
    }
  }
}
