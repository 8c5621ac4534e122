/// The work of a rig's operations, as a rig registers it.
package struct OperationHandlers: Sendable {
  /// The work of one operation.
  struct Handler: Sendable {
    let operation: Operation
    let order: ActRecorder.Order
    let isCancellable: Bool
    let run: @Sendable (EndpointRequest) async throws -> Outcome
  }

  /// An answer with its status.
  struct Outcome: Sendable {
    let answer: any Encodable & Sendable
    let status: Int
  }

  private(set) var all: [Handler] = []

  package init() {}

  /// Registers the work of an operation with an input.
  ///
  /// - Parameter work: The work; a thrown ``APIError`` becomes the answer.
  package mutating func on<Input, Answer>(
    _ endpoint: Endpoint<Input, Answer>,
    _ work: @escaping @Sendable (Input) async throws -> Answer
  ) {
    let handler = Handler(
      operation: endpoint.operation, order: endpoint.order, isCancellable: endpoint.isCancellable,
      run: { request in
        let answer = try await work(try Input(request))
        return Outcome(answer: answer, status: endpoint.isRefusal?(answer) == true ? 409 : 200)
      })
    all.append(handler)
  }

  /// Registers the work of an operation that takes nothing.
  package mutating func on<Answer>(
    _ endpoint: Endpoint<NoInput, Answer>, _ work: @escaping @Sendable () async throws -> Answer
  ) {
    on(endpoint) { (_: NoInput) in try await work() }
  }

  /// Registers the work of an operation whose answer may not exist.
  ///
  /// - Parameter missing: The sentence for a missing answer.
  package mutating func on<Input, Answer>(
    _ endpoint: Endpoint<Input, Answer>, missing: @escaping @Sendable (Input) -> String,
    _ work: @escaping @Sendable (Input) async throws -> Answer?
  ) {
    on(endpoint) { input in
      guard let answer = try await work(input) else {
        throw APIError(.notFound, missing(input))
      }
      return answer
    }
  }
}
