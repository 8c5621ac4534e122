package import API

/// An operation with its input, for an answer whose type does not matter.
package struct OperationCall: Sendable {
  /// The operation.
  package let operation: Operation
  let input: EndpointRequest

  /// Prepares a call; an input that cannot be written in JSON is left out.
  package init<Input, Answer>(_ endpoint: Endpoint<Input, Answer>, _ input: Input) {
    var written = EndpointRequest()
    try? input.write(to: &written)
    operation = endpoint.operation
    self.input = written
  }

  /// Prepares a call of an operation that takes nothing.
  package init<Answer>(_ endpoint: Endpoint<NoInput, Answer>) {
    self.init(endpoint, NoInput())
  }

  /// Prepares a call of an operation whose answer is no JSON.
  package init(_ operation: Operation) {
    self.operation = operation
    input = EndpointRequest()
  }
}
