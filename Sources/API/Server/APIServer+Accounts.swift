import Foundation
import Logging
import ServiceLifecycle

/// The steps that need the machine's directory of accounts, which may come up after this machine.
extension APIServer {
  /// The time for which a directory that does not answer delays the start.
  private static let startTimeout = Duration.seconds(5)

  /// Lets the configured group use the socket, and retries while that is impossible.
  ///
  /// - Parameter onTried: called after each attempt or its timeout, and at once without a group.
  func openToGroup(_ socket: SocketFile, onTried: @escaping @Sendable () async -> Void) async {
    guard let group = configuration.socketGroup else { return await onTried() }
    await keepAsking(
      .socket, failing: "the API's socket is open to its owner only; retrying to set its group",
      recovered: "the API's socket has its group now", onTried: onTried
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

  /// Looks up the configured accounts, and retries while the machine does not know a name.
  ///
  /// - Parameter onTried: called after each attempt or its timeout, and at once when there is
  ///   nothing to look up.
  func keepLookingUp(
    _ access: CurrentAccessPolicy, onTried: @escaping @Sendable () async -> Void
  ) async {
    guard let lookUpAccess else { return await onTried() }
    await keepAsking(
      .accounts, failing: "accounts that may use the API are not known; they are looked up again",
      recovered: "the API knows all accounts that may use it", onTried: onTried
    ) { accounts in
      let lookup = await accounts.perform(lookUpAccess)
      // A directory that fails takes no rights away.
      access.policy = access.policy.adding(lookup.policy)
      return lookup.problems.isEmpty ? nil : lookup.problems.joined(separator: "; ")
    }
  }

  private enum Word: Sendable {
    /// The reason why an attempt failed; `nil` when it succeeded.
    case answer(String?)
    case overdue
  }

  /// Retries an attempt until it succeeds or the server ends.
  ///
  /// The end of the server does not wait for the directory.
  ///
  /// - Parameter attempt: returns the reason why it failed, `nil` when it succeeded.
  private func keepAsking(
    _ place: ListeningPlace, failing: String, recovered: String,
    onTried: @escaping @Sendable () async -> Void,
    attempt: @escaping @Sendable (AccountNames) async -> String?
  ) async {
    let accounts = AccountNames()
    var retry = ListeningRetry()
    var said: String?
    repeat {
      let (words, listener) = AsyncStream.makeStream(of: Word.self)
      Task {
        listener.yield(.answer(await attempt(accounts)))
        listener.finish()
      }
      let overdue = Task {
        try await Task.sleep(for: Self.startTimeout)
        listener.yield(.overdue)
      }
      defer { overdue.cancel() }
      var isAnswered = false
      while !isAnswered {
        var problem: String? = "the directory of accounts has not answered within 5 s"
        switch await Self.next(of: words) {
        case nil: return
        case .overdue?: break
        case .answer(let answer)?: (problem, isAnswered) = (answer, true)
        }
        onProblem(place, problem)
        if let problem, problem != said {
          logger.error("\(failing)", metadata: ["cause": "\(problem)"])
        } else if problem == nil, said != nil {
          logger.notice("\(recovered)")
        }
        said = problem
        await onTried()
      }
      if said == nil { return }
    } while await retry.pause()
  }

  /// Returns the next word; `nil` once the server ends.
  private static func next(of words: AsyncStream<Word>) async -> Word? {
    await cancelWhenGracefulShutdown {
      for await word in words { return word }
      return nil
    }
  }
}

extension AccountNames {
  /// Runs a closure that may wait for the directory, on the executor of this actor.
  fileprivate func perform<Result: Sendable>(_ body: @Sendable () -> Result) -> Result { body() }

  /// Returns the number of a group that is to own a socket.
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
