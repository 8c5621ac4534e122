package import API
import Settings
import Spool

/// The configuration file on this machine without the service: for `platend --configure`.
package struct LocalConfiguration: Sendable {
  private let file: ConfigurationFile
  private let caller: Caller?
  private let serviceUser: UInt32?

  /// Makes the access to a file by its path.
  package init(path: String) {
    self.init(path: path, caller: nil, serviceUser: nil)
  }

  /// Makes the access to a file by its path.
  ///
  /// - Parameters:
  ///   - caller: the caller; `nil` for the user and the groups of this process.
  ///   - serviceUser: the user ID of the service; `nil` for its unit's user or, without such an
  ///     account, for the owner of the spool.
  init(path: String, caller: Caller?, serviceUser: UInt32?) {
    file = ConfigurationFile(store: ConfigurationStore(path: path), running: nil)
    self.caller = caller
    self.serviceUser = serviceUser
  }

  /// Performs one request on the file.
  ///
  /// File permissions decide who may write. A caller that the API's access rules exclude is refused
  /// here as well, so that no user may do more while the service is down.
  ///
  /// - Returns: the answer in JSON, as the API gives it.
  /// - Throws: ``API/APIError``, as the API does.
  package func perform(_ request: LocalConfigurationRequest) async throws -> [UInt8] {
    if request.show == true { return try APICoding.encode(await file.configurationFile()) }
    if request.keys == true { return try APICoding.encode(PlatenConfiguration.keys) }
    if request.history == true { return try APICoding.encode(await file.configurationHistory()) }
    if let number = request.difference {
      return try APICoding.encode(await file.configurationDifference(from: number))
    }
    if let text = request.check {
      return try APICoding.encode(await file.checkConfiguration(text))
    }
    if let change = request.change {
      try await refuseWhoMayNotAct()
      return try APICoding.encode(await file.changeConfiguration(change))
    }
    if let rollback = request.rollback {
      try await refuseWhoMayNotAct()
      return try APICoding.encode(await file.rollBackConfiguration(rollback))
    }
    throw APIError(.invalidRequest, "Nothing was asked for.")
  }

  /// Refuses a caller that the current file does not permit to act.
  ///
  /// A file that the service would refuse defines no permissions: a user who may write it may
  /// repair it.
  ///
  /// - Throws: ``API/APIError``, code `forbidden`.
  func refuseWhoMayNotAct() async throws(APIError) {
    let caller = caller ?? .ofProcess
    guard caller.userID != 0, let text = try? await file.store.text(),
      let configuration = try? PlatenConfiguration.parse(text, file: file.store.path)
    else { return }
    let section = configuration.api
    var access = section.access()
    // The caller is never taken for the service's user: it would own every rig without that
    // account.
    access.policy.serviceUser =
      serviceUser ?? ServiceUser.account("platen")?.userID
      ?? FileOwner(of: configuration.spool.directory)?.userID ?? 0
    guard !access.policy.permits(.act, to: caller) else { return }
    let setting = section.act == nil ? "api.read" : "api.act"
    throw APIError(
      .forbidden,
      "The \(caller) may not change the configuration of this rig, also not while its service is "
        + "down. The setting \"\(setting)\" names who may."
        + (access.problems.isEmpty ? "" : " " + access.problems.joined(separator: "; ") + "."))
  }
}

extension Caller {
  /// The user and the groups of this process (`getuid`, `getgroups`).
  fileprivate static var ofProcess: Caller {
    let user = ServiceUser.current
    return Caller(
      account: .user(user.userID), name: user.name, groupIDs: user.groupIDs, origin: .unknown)
  }
}
