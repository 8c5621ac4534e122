import Transfer

extension RigClient {
  /// The rig's figures in Prometheus' text format.
  ///
  /// - Throws: ``RigClientError``.
  public func metrics() async throws(RigClientError) -> String {
    String(decoding: try await bytes("GET", "/metrics"), as: UTF8.self)
  }

  /// What a path answers, unread.
  ///
  /// - Throws: ``RigClientError``.
  func bytes(_ method: String, _ path: String) async throws(RigClientError) -> [UInt8] {
    let response: HTTPResponse
    do {
      response = try await http.send(request(method, path))
    } catch {
      throw connectionError(error)
    }
    guard response.status == 200 else { throw refusal(response) }
    return Array(response.body)
  }
}
