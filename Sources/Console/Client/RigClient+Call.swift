package import API
import Transfer

/// The calls of declared operations.
extension RigClient {
  /// Calls an operation.
  ///
  /// - Throws: ``RigClientError``, `refused` with the error that the rig gave.
  package func call<Input, Answer>(
    _ endpoint: Endpoint<Input, Answer>, _ input: Input
  ) async throws(RigClientError) -> Answer {
    var written = EndpointRequest()
    do {
      try input.write(to: &written)
    } catch {
      throw .refused(error)
    }
    var request = request(endpoint.operation, written)
    request.stallTimeout = endpoint.stallTimeout ?? timeout
    return try await answer(to: request, accepting: endpoint.operation.statuses)
  }

  /// Calls an operation that takes nothing.
  ///
  /// - Throws: ``RigClientError``, `refused` with the error that the rig gave.
  package func call<Answer>(
    _ endpoint: Endpoint<NoInput, Answer>
  ) async throws(RigClientError) -> Answer {
    try await call(endpoint, NoInput())
  }

  /// Returns the request of an operation.
  func request(
    _ operation: Operation, _ input: EndpointRequest = EndpointRequest(),
    headers: [HTTPHeader] = []
  ) -> HTTPRequest {
    var path = operation.path
    var query: [String] = []
    for (name, value) in input.parameters.sorted(by: { $0.key < $1.key }) {
      if path.contains("{\(name)}") {
        path = path.replacing("{\(name)}", with: encoded(value))
      } else {
        query.append("\(name)=\(encoded(value))")
      }
    }
    if !query.isEmpty { path += "?" + query.joined(separator: "&") }
    var headers = headers
    if !input.body.isEmpty { headers.append(HTTPHeader("Content-Type", "application/json")) }
    return HTTPRequest(
      method: operation.method.rawValue, url: "http://localhost\(path)", headers: headers,
      body: input.body.isEmpty ? .none : .bytes(input.body), unixSocketPath: socketPath,
      connectTimeout: .seconds(5), stallTimeout: timeout, maximumResponseBytes: 4 << 20)
  }

  /// Percent-encodes a value for a URL; only typed text may need that.
  private func encoded(_ text: String) -> String {
    text.utf8.map { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
        String(UnicodeScalar(byte))
      default:
        "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }.joined()
  }
}
