/// What a server answered.
public struct HTTPResponse: Sendable, Hashable {
  /// The status code of the final response, 200 to 599 by the standard.
  public var status: Int
  /// The fields of the final response, in order.
  public var headers: [HTTPHeader]
  /// The body, unless it went to an `onBody` closure.
  public var body: [UInt8]

  /// Makes a response.
  public init(status: Int, headers: [HTTPHeader] = [], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// The value of the first field of a name, whatever the case it is written in.
  public subscript(name: String) -> String? {
    let wanted = name.lowercased()
    return headers.first { $0.name.lowercased() == wanted }?.value
  }

  /// Whether the status is 200 to 299.
  public var isSuccess: Bool { (200...299).contains(status) }

  /// The body as text; bytes that are not UTF-8 become U+FFFD.
  public var text: String { String(decoding: body, as: UTF8.self) }
}
