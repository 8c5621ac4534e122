package import API
import Transfer

/// The operations whose answers are read as bytes.
extension RigClient {
  /// Returns the rig's metrics in Prometheus' text format.
  ///
  /// - Throws: ``RigClientError``.
  package func metrics() async throws(RigClientError) -> String {
    String(decoding: try await bytes(of: OperationCall(Operations.metrics)), as: UTF8.self)
  }

  /// Returns the body of an operation's answer.
  ///
  /// - Throws: ``RigClientError``.
  func bytes(of call: OperationCall) async throws(RigClientError) -> [UInt8] {
    let response: HTTPResponse
    do {
      response = try await http.send(request(call.operation, call.input))
    } catch {
      throw connectionError(error)
    }
    guard response.status == 200 else { throw refusal(response) }
    return Array(response.body)
  }

  /// Reads a picture's bytes as they arrive.
  ///
  /// - Parameter onBytes: a function that takes each piece on the client's thread; `false` ends the
  ///   reading.
  /// - Throws: ``RigClientError``, `refused` with code `notFound` when there is no file.
  package func spoolImage(
    _ item: SpoolItemReference, onBytes: @escaping @Sendable (UnsafeRawBufferPointer) -> Bool
  ) async throws(RigClientError) {
    var input = EndpointRequest()
    item.write(to: &input)
    let response: HTTPResponse
    do {
      response = try await http.send(request(Operations.spoolImage, input), onBody: onBytes)
    } catch {
      throw connectionError(error)
    }
    guard response.status == 200 else { throw refusal(response) }
  }
}
