import Testing

@testable import Upload

@Suite struct RetryBudgetTests {
  /// Takes the tokens of retries until none is left.
  private func emptied(_ budget: RetryBudget, at now: Duration) -> (RetryBudget, retries: Int) {
    var budget = budget
    var count = 0
    while budget.ready(at: now) <= now {
      budget.takeRetry(at: now)
      count += 1
    }
    return (budget, count)
  }

  @Test func `a full bucket pays thirty-five retries`() {
    #expect(emptied(RetryBudget(), at: .zero).retries == 35)
  }

  @Test func `an empty bucket pays one retry in each interval`() {
    var (budget, _) = emptied(RetryBudget(), at: .seconds(5))
    #expect(budget.ready(at: .seconds(5)) == .seconds(65))
    #expect(budget.ready(at: .seconds(64)) == .seconds(65))
    #expect(budget.ready(at: .seconds(65)) == .seconds(65))
    budget.takeRetry(at: .seconds(65))
    #expect(budget.ready(at: .seconds(65)) == .seconds(125))
    // The retries of ten unused minutes are there all at once, and no more.
    #expect(emptied(budget, at: .seconds(665)).retries == 10)
  }

  @Test func `a bucket never holds more than its capacity`() {
    let (budget, _) = emptied(RetryBudget(), at: .zero)
    #expect(emptied(budget, at: .seconds(1_000_000)).retries == 35)
  }

  @Test func `a retry that succeeds costs nothing`() {
    var (budget, _) = emptied(RetryBudget(), at: .zero)
    budget.succeeded(wasRetry: true)
    #expect(emptied(budget, at: .zero).retries == 1)
    for _ in 0..<14 { budget.succeeded(wasRetry: false) }
    #expect(emptied(budget, at: .zero).retries == 2)
    budget.refill()
    #expect(emptied(budget, at: .zero).retries == 35)
  }
}
