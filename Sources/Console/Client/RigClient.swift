package import API
import Devices
import Foundation
import Transfer

/// A client of a rig's API over its Unix socket.
///
/// The client's connection carries one request at a time; event streams have their own connections.
package struct RigClient: Sendable {
  /// The default path of the service's socket.
  package static let defaultSocketPath = "/run/platen/platend.sock"

  /// The socket's path.
  package let socketPath: String
  /// The time without any data of an answer after which the service counts as hung.
  package let timeout: Duration
  let http: HTTPClient

  /// Creates a client without connecting.
  ///
  /// - Parameters:
  ///   - socketPath: the service's socket.
  ///   - timeout: the time without any data of an answer after which a request fails.
  package init(
    socketPath: String = RigClient.defaultSocketPath, timeout: Duration = .seconds(60)
  ) {
    self.init(socketPath, timeout, HTTPClient(userAgent: "platenctl"))
  }

  private init(_ socketPath: String, _ timeout: Duration, _ http: HTTPClient) {
    self.socketPath = socketPath
    self.timeout = timeout
    self.http = http
  }

  /// Returns the same client, over the same connection, with another timeout.
  ///
  /// - Parameter timeout: the time without any data of an answer after which a request fails.
  package func waiting(_ timeout: Duration) -> RigClient { RigClient(socketPath, timeout, http) }

  /// Returns the rig's complete current status.
  ///
  /// - Throws: ``RigClientError``.
  package func status() async throws(RigClientError) -> RigStatus {
    try await call(Operations.status)
  }

  func answer<Answer: Decodable>(
    to request: HTTPRequest, accepting statuses: Set<Int>
  ) async throws(RigClientError) -> Answer {
    let response: HTTPResponse
    do {
      response = try await http.send(request)
    } catch {
      throw connectionError(error)
    }
    guard statuses.contains(response.status) else { throw refusal(response) }
    do {
      return try APICoding.decode(Answer.self, from: response.body)
    } catch {
      throw .incomprehensible(error.message)
    }
  }

  func refusal(_ response: HTTPResponse) -> RigClientError {
    if let envelope = try? APICoding.decode(ErrorEnvelope.self, from: response.body) {
      return .refused(envelope.error)
    }
    return .incomprehensible("it has the status \(response.status) and no reason.")
  }

  func connectionError(_ error: TransferError) -> RigClientError {
    switch error.code {
    case .couldNotConnect:
      return connectionProblem()
    case .unexpectedStatus:
      let envelope = error.cause.flatMap {
        try? APICoding.decode(ErrorEnvelope.self, from: $0.utf8)
      }
      return envelope.map { .refused($0.error) }
        ?? .incomprehensible("it has the status \(error.status ?? 0) and no reason.")
    case .malformedResponse, .responseTooLarge:
      return .incomprehensible(error.cause ?? error.problem)
    default:
      return .interrupted(socketPath: socketPath, cause: error.cause ?? error.problem)
    }
  }

  /// Returns the reason why no connection could be made, which libcurl does not report.
  private func connectionProblem() -> RigClientError {
    let number = SocketProbe.attempt(socketPath)
    if number == EACCES || number == EPERM { return .forbidden(socketPath: socketPath) }
    // If the probe connects now, the service was not listening a moment ago.
    let cause = SystemError(number ?? ECONNREFUSED).description
    return .unreachable(
      socketPath: socketPath, cause: cause.prefix(1).lowercased() + cause.dropFirst())
  }
}
