extension Operations {
  /// The presses of this and of earlier runs.
  package static let presses = Endpoint<PressFilter, PressList>(
    "presses", .get, "/v1/presses", .read,
    "Lists presses of this and of earlier runs, the newest first.", failures: [.unavailable])

  /// A press of the shutter.
  package static let shoot = Endpoint<PressSettings, PressReport>(
    "shoot", .post, "/v1/presses", .act,
    "Presses the shutter and waits until the press has its outcome; a refusal is a report with its "
      + "reason and the status 409.",
    failures: [.internalError], entered: .beside, isRefusal: { $0.outcome == .refused })

  /// The number of presses by outcome.
  package static let pressCounts = Endpoint<NoInput, PressCountsReport>(
    "pressCounts", .get, "/v1/presses/counts", .read, "Counts presses by their outcome.",
    failures: [.unavailable])

  /// The edges that the kernel counted and that no reader got.
  package static let lostEdges = Endpoint<ListLimit, LostEdgesList>(
    "lostEdges", .get, "/v1/presses/lost-edges", .read,
    "Lists edges of buttons that the kernel counted and the service missed, the newest first.",
    failures: [.unavailable])

  /// A press.
  package static let press = Endpoint<PressNumber, PressReport>(
    "press", .get, "/v1/presses/{number}", .read, "Returns one press.",
    failures: [.notFound, .unavailable])
}

/// The most entries that an answer lists, as the whole input.
package struct ListLimit: EndpointInput {
  /// The most entries that an answer can list.
  package static let maximum = 1000
  /// The parameter `limit` of most lists.
  static let limit = EndpointParameter<Int>.integer(
    "limit", in: 1...maximum, default: 20, "The most entries of the list.")

  /// The most entries, 1...1000.
  package var limit: Int

  package init(_ limit: Int = 20) { self.limit = limit }

  package static var parameters: [ParameterDescription] { [limit.described] }

  package init(_ request: EndpointRequest) throws(APIError) {
    limit = try request.required(Self.limit)
  }

  package func write(to request: inout EndpointRequest) { request.set(Self.limit, limit) }
}

/// The number of a press, as the whole input.
package struct PressNumber: EndpointInput {
  private static let number = EndpointParameter<Int64>.integer(
    "number", in: 1...Int64.max, "The press's number.")

  /// The number, 1 or more.
  package var number: Int64

  package init(_ number: Int64) { self.number = number }

  /// The sentence for a number without a press.
  @Sendable package static func missing(_ input: PressNumber) -> String {
    "The press \(input.number) is unknown or no longer remembered."
  }

  package static var parameters: [ParameterDescription] { [number.described(isRequired: true)] }

  package init(_ request: EndpointRequest) throws(APIError) {
    number = try request.required(Self.number)
  }

  package func write(to request: inout EndpointRequest) { request.set(Self.number, number) }
}

extension PressSettings: JSONInput {
  package static var mayBeAbsent: Bool { true }
}
