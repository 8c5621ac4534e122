import Foundation
import Logging

extension APIServer {
  /// Lets the configured group use the socket, and tries again while that cannot be: a directory of
  /// accounts may come up after this machine.
  ///
  /// - Parameter onTried: called after the first attempt, or when that takes too long, and at once
  ///   without a group.
  func openToGroup(_ socket: SocketFile, onTried: @escaping @Sendable () async -> Void) async {
    guard let group = configuration.socketGroup else { return await onTried() }
    let accounts = AccountNames()
    // A directory of accounts that hangs does not hold up the start.
    let overdue = Task {
      try await Task.sleep(for: .seconds(5))
      await onTried()
    }
    defer { overdue.cancel() }
    var retry = ListeningRetry()
    var said: SocketError?
    repeat {
      do throws(SocketError) {
        try socket.give(to: group, number: try await accounts.number(ofGroup: group, for: socket))
        try socket.setPermissions(configuration.socketMode)
        if said != nil { logger.notice("the API's socket has its group now") }
        onProblem(.socket, nil)
        return await onTried()
      } catch {
        if error != said {
          logger.error(
            "the API's socket is open to its owner only; its group is tried again",
            metadata: ["cause": "\(error)"])
        }
        said = error
        onProblem(.socket, error.description)
        await onTried()
      }
    } while await retry.pause()
  }
}

extension AccountNames {
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
