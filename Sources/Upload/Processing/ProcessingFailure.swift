extension ProcessingAnswer {
  /// The reason for which an item was not processed.
  struct Failure: Error, Hashable {
    /// The kind of failure.
    var code: DeliveryFailure.Code
    /// The failure's scope.
    var scope: DeliveryFailure.Scope
    /// The problem: a clause, free of control characters.
    var words: String

    /// Makes a failure; `rejected` and `corrupted` concern the item, and other codes the target.
    init(_ code: DeliveryFailure.Code, _ words: String) {
      self.code = code
      self.words = words
      scope = [.rejected, .corrupted].contains(code) ? .item : .target
    }

    /// Reads `{"code", "message", "retryable"}`; only `retryable: false` makes the failure final.
    static func said(_ value: JSONValue) -> Failure {
      let isFinal = value["retryable"]?.boolValue == false
      let code = value["code"].map { ByteText.shown($0.stringValue ?? $0.text, maximum: 64) }
      let message = (value["message"]?.stringValue ?? value.stringValue).map { ByteText.shown($0) }
      let words = [code, message].compactMap { $0 }.joined(separator: ": ")
      return Failure(
        isFinal ? .rejected : .serverError, words.isEmpty ? "it says no reason" : words)
    }

    /// Reads the error in an answer that is one JSON value; returns `nil` when there is no error.
    static func said(in value: JSONValue) -> Failure? {
      guard let error = value["error"], ![.null, .bool(false), .string("")].contains(error) else {
        return nil
      }
      return said(error)
    }

    func deliveryFailure(of name: String, status: Int?) -> DeliveryFailure {
      DeliveryFailure(
        code, scope: scope, text: "the target did not process \"\(name)\": \(words)",
        status: status)
    }
  }
}

extension DeliveryFailure.Code {
  /// The target's answer cannot be understood, or has no end.
  package static let badAnswer = DeliveryFailure.Code(rawValue: "badAnswer")
}
