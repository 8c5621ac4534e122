/// A request of an operation, before its input is known.
package struct EndpointRequest: Sendable {
  /// The parameters of path and query by name.
  package var parameters: [String: String] = [:]
  /// The body; empty for none.
  package var body: [UInt8] = []

  package init(parameters: [String: String] = [:], body: [UInt8] = []) {
    self.parameters = parameters
    self.body = body
  }

  /// Reads a parameter.
  ///
  /// - Returns: The value, or the parameter's default when the request has none.
  /// - Throws: ``APIError``, code ``APIError/Code/invalidRequest``, which names the parameter.
  func value<Value>(_ parameter: EndpointParameter<Value>) throws(APIError) -> Value? {
    guard let text = parameters[parameter.name] else { return parameter.standard }
    guard let value = parameter.read(text) else {
      throw APIError(
        .invalidRequest,
        "The parameter \"\(parameter.name)\" must be \(parameter.expected), not "
          + "\"\(text.prefix(40))\".")
    }
    return value
  }

  /// Reads a parameter that a request must have.
  ///
  /// - Throws: ``APIError``, code ``APIError/Code/invalidRequest``, which names the parameter.
  func required<Value>(_ parameter: EndpointParameter<Value>) throws(APIError) -> Value {
    if let value = try value(parameter) { return value }
    throw APIError(
      .invalidRequest,
      "The parameter \"\(parameter.name)\" is missing; expected \(parameter.expected).")
  }

  /// Writes a parameter; `nil` leaves the parameter out.
  mutating func set<Value>(_ parameter: EndpointParameter<Value>, _ value: Value?) {
    parameters[parameter.name] = value.map(parameter.write)
  }
}

/// The input of an operation: parameters of its path and its query, and its body.
package protocol EndpointInput: Sendable {
  /// The parameters for the description.
  static var parameters: [ParameterDescription] { get }
  /// The body for the description; `nil` for none.
  static var body: BodyDescription? { get }

  /// Reads an input.
  ///
  /// - Throws: ``APIError``, code ``APIError/Code/invalidRequest``.
  init(_ request: EndpointRequest) throws(APIError)

  /// Writes the input into a request.
  ///
  /// - Throws: ``APIError``, code ``APIError/Code/invalidRequest``, for a value that JSON does not have.
  func write(to request: inout EndpointRequest) throws(APIError)
}

extension EndpointInput {
  package static var parameters: [ParameterDescription] { [] }
  package static var body: BodyDescription? { nil }
}

/// The input of an operation that takes nothing; a body may be `{}`.
package struct NoInput: EndpointInput {
  package static var body: BodyDescription? {
    BodyDescription(type: EmptyObject.self, isRequired: false)
  }

  package init() {}

  package init(_ request: EndpointRequest) throws(APIError) { try request.refuseBody() }

  package func write(to request: inout EndpointRequest) {}
}

extension EndpointRequest {
  /// Refuses a body other than `{}`.
  ///
  /// - Throws: ``APIError``, code ``APIError/Code/invalidRequest``.
  func refuseBody() throws(APIError) {
    if !body.isEmpty { _ = try APICoding.decode(EmptyObject.self, from: body) }
  }
}

/// An input that is a body in JSON and nothing else.
package protocol JSONInput: EndpointInput, Codable {
  /// Whether a request without a body means `{}`.
  static var mayBeAbsent: Bool { get }
}

extension JSONInput {
  package static var mayBeAbsent: Bool { false }

  package static var body: BodyDescription? {
    BodyDescription(type: Self.self, isRequired: !mayBeAbsent)
  }

  package init(_ request: EndpointRequest) throws(APIError) {
    let isAbsent = request.body.isEmpty && Self.mayBeAbsent
    self = try APICoding.decode(Self.self, from: isAbsent ? Array("{}".utf8) : request.body)
  }

  package func write(to request: inout EndpointRequest) throws(APIError) {
    do {
      request.body = try APICoding.encode(self)
    } catch {
      throw APIError(.invalidRequest, "The request cannot be sent: \(error)")
    }
  }
}
