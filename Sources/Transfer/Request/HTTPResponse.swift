/// A server's answer.
package struct HTTPResponse: Sendable, Hashable {
  /// The status code of the final response, 200 to 599 by the standard.
  package var status: Int
  /// The fields of the final response, in order.
  package var headers: [HTTPHeader] = []
  /// The body, unless it went to an `onBody` closure.
  package var body: [UInt8] = []

  /// Returns the value of the first field with a name, regardless of case.
  package subscript(name: String) -> String? {
    let wanted = name.lowercased()
    return headers.first { $0.name.lowercased() == wanted }?.value
  }

  /// Whether the status is 200 to 299.
  package var isSuccess: Bool { (200...299).contains(status) }

  /// The body as text; bytes that are not UTF-8 become U+FFFD.
  package var text: String { String(decoding: body, as: UTF8.self) }
}
