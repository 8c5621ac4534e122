import Testing

@testable import Upload

@Suite struct FailureLogTests {
  private func fault(
    _ code: DeliveryFailure.Code = .serverError, _ scope: DeliveryFailure.Scope = .target,
    status: Int? = 500
  ) -> DeliveryFailure {
    DeliveryFailure(code, scope: scope, text: "", status: status)
  }

  @Test func `a target that stays down is logged once a minute`() {
    var log = FailureLog()
    var written: [Int?] = []
    for second in 0...130 { written.append(log.admit(fault(), at: .seconds(second))) }
    let lines = written.enumerated().compactMap { second, count in count.map { [second, $0] } }
    #expect(lines == [[0, 0], [60, 59], [120, 59]])
  }

  @Test func `a failure for another reason is logged`() {
    var log = FailureLog()
    let first = log.admit(fault(), at: .zero)
    let same = log.admit(fault(), at: .seconds(1))
    let otherStatus = log.admit(fault(status: 502), at: .seconds(2))
    let otherCode = log.admit(fault(.timedOut, status: 502), at: .seconds(3))
    #expect([first, same, otherStatus, otherCode] == [0, nil, 1, 0])
  }

  @Test func `the next failure after a success is logged`() {
    var log = FailureLog()
    _ = log.admit(fault(), at: .zero)
    log.succeeded()
    let next = log.admit(fault(), at: .seconds(1))
    #expect(next == 0)
  }

  @Test func `every failure of an item is logged`() {
    var log = FailureLog()
    for second in 0..<5 {
      let count = log.admit(fault(.rejected, .item, status: 422), at: .seconds(second))
      #expect(count == 0)
    }
  }
}
