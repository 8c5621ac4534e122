import Testing
import Transfer

@testable import Upload

@Suite struct DeliveryFailureTests {
  @Test(
    arguments: [
      (400, .rejected, .item), (401, .unauthorized, .target), (403, .unauthorized, .target),
      (404, .blocked, .target), (405, .blocked, .target), (408, .timedOut, .target),
      (409, .conflict, .item), (412, .conflict, .item), (413, .rejected, .item),
      (415, .rejected, .item), (429, .throttled, .target), (500, .serverError, .target),
      (501, .blocked, .target), (502, .serverError, .target), (503, .throttled, .target),
      (507, .targetFull, .target), (301, .blocked, .target), (200, .blocked, .target),
    ] as [(Int, DeliveryFailure.Code, DeliveryFailure.Scope)])
  func aStatusSaysWhomItConcerns(
    status: Int, code: DeliveryFailure.Code, scope: DeliveryFailure.Scope
  ) {
    let failure = DeliveryFailure(
      cannot: "store", "http://h/x", HTTPResponse(status: status), wallNanoseconds: 0)
    #expect(failure.code == code)
    #expect(failure.scope == scope)
    #expect(failure.status == status)
    #expect(
      failure.text == "the target did not store \"http://h/x\": it answered \(status)")
  }

  @Test func aWishToWaitIsRead() {
    let response = HTTPResponse(status: 503, headers: [HTTPHeader("Retry-After", "17")])
    let failure = DeliveryFailure(cannot: "store", "u", response, wallNanoseconds: 0)
    #expect(failure.retryAfter == .seconds(17))
  }

  @Test(
    arguments: [
      (.couldNotConnect, .unreachable, .target), (.sendFailed, .unreachable, .target),
      (.timedOut, .timedOut, .target), (.tls, .tls, .target),
      (.fileUnreadable, .fileUnreadable, .item), (.cancelled, .cancelled, .target),
      (.responseTooLarge, .serverError, .target),
    ] as [(TransferError.Code, DeliveryFailure.Code, DeliveryFailure.Scope)])
  func aLostRequestSaysWhomItConcerns(
    cause: TransferError.Code, code: DeliveryFailure.Code, scope: DeliveryFailure.Scope
  ) {
    let failure = DeliveryFailure(
      TransferError(cause, method: "PUT", url: "http://h/x", problem: "failed"))
    #expect(failure.code == code)
    #expect(failure.scope == scope)
    #expect(failure.text == "\"PUT http://h/x\" failed")
  }
}
