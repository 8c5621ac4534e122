public import API

/// The configuration file on this machine while no service runs: for `platend --configure`.
public struct LocalConfiguration: Sendable {
  private let file: ConfigurationFile
  private let caller: Caller?
  private let serviceUser: UInt32?

  /// Takes a file by its path.
  public init(path: String) {
    self.init(path: path, caller: nil, serviceUser: nil)
  }

  /// Takes a file by its path.
  ///
  /// - Parameters:
  ///   - caller: who asks; `nil` for the user and the groups of this process.
  ///   - serviceUser: the number of the user that the service runs as; `nil` for that of its unit,
  ///     or, without such an account, for the owner of the spool.
  init(path: String, caller: Caller?, serviceUser: UInt32?) {
    file = ConfigurationFile(store: ConfigurationStore(path: path), running: nil)
    self.caller = caller
    self.serviceUser = serviceUser
  }

  /// Does one thing to the file.
  ///
  /// Who may write the file decide its permissions. Whom the service would forbid to change it is
  /// refused here as well, so that nobody may do more while it is down.
  ///
  /// - Returns: the answer in JSON, as the API gives it.
  /// - Throws: ``API/APIError`` as the API's own paths.
  public func perform(_ request: LocalConfigurationRequest) async throws -> [UInt8] {
    if request.show == true { return try APICoding.encode(await file.configurationFile()) }
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

  /// Refuses whom the file as it is does not let act.
  ///
  /// A file that the service would not start with says nothing of that: whoever may write it may
  /// mend it.
  ///
  /// - Throws: ``API/APIError``, code `forbidden`.
  private func refuseWhoMayNotAct() async throws(APIError) {
    let caller = caller ?? .ofProcess
    guard caller.userID != 0, let text = try? await file.store.text(),
      let configuration = try? PlatenConfiguration.parse(text, file: file.store.path)
    else { return }
    let section = configuration.api
    var access = section.access()
    // Never the caller, who would own every rig whose service has no account here.
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
