import Foundation
import Logging

/// What needs the machine's directory of accounts, which may come up after this machine.
extension APIServer {
  /// How long a directory that hangs holds up the start.
  private static let patience = Duration.seconds(5)

  /// Lets the configured group use the socket, and tries again while that cannot be.
  ///
  /// - Parameter onTried: called after the first attempt, or when that takes too long, and at once
  ///   without a group.
  func openToGroup(_ socket: SocketFile, onTried: @escaping @Sendable () async -> Void) async {
    guard let group = configuration.socketGroup else { return await onTried() }
    await keepAsking(
      .socket, failing: "the API's socket is open to its owner only; its group is tried again",
      mended: "the API's socket has its group now", onTried: onTried
    ) { accounts in
      do throws(SocketError) {
        try socket.give(to: group, number: try await accounts.number(ofGroup: group, for: socket))
        try socket.setPermissions(configuration.socketMode)
        return nil
      } catch {
        return error.description
      }
    }
  }

  /// Looks up who may do what, and again while the machine does not know a name.
  ///
  /// - Parameter onTried: called after the first attempt, or when that takes too long, and at once
  ///   when there is nothing to look up.
  func keepLookingUp(
    _ access: CurrentAccessPolicy, onTried: @escaping @Sendable () async -> Void
  ) async {
    guard let lookUpAccess else { return await onTried() }
    await keepAsking(
      .accounts, failing: "accounts that may use the API are not known; they are looked up again",
      mended: "the API knows all accounts that may use it", onTried: onTried
    ) { accounts in
      let lookup = await accounts.perform(lookUpAccess)
      access.policy = lookup.policy
      return lookup.problems.isEmpty ? nil : lookup.problems.joined(separator: "; ")
    }
  }

  /// Tries something until it succeeds or the server ends.
  ///
  /// - Parameter attempt: returns why it failed, `nil` when it succeeded.
  private func keepAsking(
    _ place: ListeningPlace, failing: String, mended: String,
    onTried: @escaping @Sendable () async -> Void, attempt: (AccountNames) async -> String?
  ) async {
    let accounts = AccountNames()
    let overdue = Task {
      try await Task.sleep(for: Self.patience)
      await onTried()
    }
    defer { overdue.cancel() }
    var retry = ListeningRetry()
    var said: String?
    repeat {
      let problem = await attempt(accounts)
      onProblem(place, problem)
      if let problem, problem != said {
        logger.error("\(failing)", metadata: ["cause": "\(problem)"])
      } else if problem == nil, said != nil {
        logger.notice("\(mended)")
      }
      await onTried()
      guard problem != nil else { return }
      said = problem
    } while await retry.pause()
  }
}

extension AccountNames {
  /// Runs what may wait for the directory of accounts where that keeps nobody waiting.
  fileprivate func perform<Result: Sendable>(_ body: @Sendable () -> Result) -> Result { body() }

  /// The number of a group, for a socket that is to be given to it.
  ///
  /// - Throws: ``SocketError``, code `unknownGroup`.
  fileprivate func number(
    ofGroup name: String, for socket: SocketFile
  ) throws(SocketError) -> UInt32 {
    let problem = "cannot be given to the group \"\(name)\""
    do throws(POSIXError) {
      if let number = try Self.number(of: name, .group) { return number }
    } catch {
      throw SocketError(
        .unknownGroup, path: socket.path, problem: "\(problem), which cannot be looked up",
        errno: error.code.rawValue)
    }
    throw SocketError(
      .unknownGroup, path: socket.path, problem: "\(problem), which does not exist")
  }
}
