public import API
import Foundation
import Transfer

/// A client of a rig's API over its Unix socket.
///
/// One request at a time goes over the client's connection; streams of events have their own.
public struct RigClient: Sendable {
  /// Where the service listens unless told otherwise.
  public static let defaultSocketPath = "/run/platen/platend.sock"

  /// The socket's path.
  public let socketPath: String
  /// How long nothing may come of an answer before the service counts as hung.
  public let patience: Duration
  let http: HTTPClient

  /// Makes a client; nothing is connected yet.
  ///
  /// - Parameters:
  ///   - socketPath: the service's socket.
  ///   - patience: how long nothing may come of an answer.
  public init(
    socketPath: String = RigClient.defaultSocketPath, patience: Duration = .seconds(60)
  ) {
    self.init(socketPath, patience, HTTPClient(userAgent: "platenctl"))
  }

  private init(_ socketPath: String, _ patience: Duration, _ http: HTTPClient) {
    self.socketPath = socketPath
    self.patience = patience
    self.http = http
  }

  /// The same client, over the same connection, with another patience.
  ///
  /// - Parameter patience: how long nothing may come of an answer.
  public func waiting(_ patience: Duration) -> RigClient { RigClient(socketPath, patience, http) }

  /// Everything that the rig says of itself now.
  ///
  /// - Throws: ``RigClientError``.
  public func status() async throws(RigClientError) -> RigStatus {
    try await get("/v1/status")
  }

  /// Presses of this and of earlier runs, the newest first.
  ///
  /// - Parameter filter: which.
  /// - Throws: ``RigClientError``, `refused` with code `invalidRequest` for what cannot be asked.
  public func presses(_ filter: PressFilter) async throws(RigClientError) -> PressList {
    let query = filter.queryItems.map { "\($0.name)=\(encoded($0.value))" }
    return try await get("/v1/presses?" + query.joined(separator: "&"))
  }

  /// How many presses ended how.
  ///
  /// - Throws: ``RigClientError``.
  public func pressCounts() async throws(RigClientError) -> PressCountsReport {
    try await get("/v1/presses/counts")
  }

  /// Edges of buttons that the kernel counted and nobody got to see, the newest first.
  ///
  /// - Parameter limit: the most gaps to return, 1...1000.
  /// - Throws: ``RigClientError``.
  public func lostEdges(limit: Int) async throws(RigClientError) -> LostEdgesList {
    try await get("/v1/presses/lost-edges?limit=\(limit)")
  }

  /// One press by its number.
  ///
  /// - Throws: ``RigClientError``, `refused` with code `notFound` when the number is unknown.
  public func press(number: Int64) async throws(RigClientError) -> PressReport {
    try await get("/v1/presses/\(number)")
  }

  /// Presses the shutter and waits for the outcome, stored or refused.
  ///
  /// - Parameter settings: what the press is asked to give.
  /// - Throws: ``RigClientError``.
  public func shoot(
    _ settings: PressSettings = PressSettings()
  ) async throws(RigClientError) -> PressReport {
    var request = request("POST", "/v1/presses")
    if !settings.isEmpty { try encode(settings, into: &request) }
    return try await answer(to: request, accepting: [200, 409])
  }

  /// Does something to the simulated world.
  ///
  /// - Throws: ``RigClientError``, `refused` with code `notSimulated` on a real board.
  public func simulate(_ command: SimulationCommand) async throws(RigClientError) {
    let _: SimulationReport = try await post("/v1/simulation", command)
  }

  func get<Answer: Decodable>(_ path: String) async throws(RigClientError) -> Answer {
    try await answer(to: request("GET", path), accepting: [200])
  }

  /// Posts a value as JSON, or nothing.
  func post<Answer: Decodable>(
    _ path: String, _ value: (any Encodable & Sendable)? = nil,
    stallTimeout: Duration? = nil
  ) async throws(RigClientError) -> Answer {
    var request = request("POST", path)
    request.stallTimeout = stallTimeout ?? patience
    if let value { try encode(value, into: &request) }
    return try await answer(to: request, accepting: [200])
  }

  /// Gives a request a value as its body, in JSON.
  func encode(
    _ value: any Encodable & Sendable, into request: inout HTTPRequest
  ) throws(RigClientError) {
    do {
      request.body = .bytes(try APICoding.encode(value))
    } catch {
      throw .refused(APIError(.invalidRequest, "The request cannot be sent: \(error)"))
    }
    request.headers.append(HTTPHeader("Content-Type", "application/json"))
  }

  func request(
    _ method: String, _ path: String, headers: [HTTPHeader] = [], body: HTTPBody = .none
  ) -> HTTPRequest {
    HTTPRequest(
      method: method, url: "http://localhost\(path)", headers: headers, body: body,
      unixSocketPath: socketPath, connectTimeout: .seconds(5), stallTimeout: patience,
      maximumResponseBytes: 4 << 20)
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

  /// Why no connection could be made; libcurl itself does not say.
  private func connectionProblem() -> RigClientError {
    let number = SocketProbe.attempt(socketPath)
    if number == EACCES || number == EPERM { return .forbidden(socketPath: socketPath) }
    // When somebody answers now, nobody did a moment ago.
    let cause = String(cString: strerror(number ?? ECONNREFUSED))
    return .unreachable(
      socketPath: socketPath, cause: cause.prefix(1).lowercased() + cause.dropFirst())
  }
}
