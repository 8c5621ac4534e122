import TestSupport
import Testing

@testable import Upload

@Suite struct RetryPolicyTests {
  private let policy = RetryPolicy()

  private func failure(
    _ code: DeliveryFailure.Code = .unreachable, retryAfter: Duration? = nil
  ) -> DeliveryFailure {
    DeliveryFailure(code, scope: .target, text: "", retryAfter: retryAfter)
  }

  @Test(arguments: [
    (1, 1), (2, 2), (3, 4), (8, 128), (9, 256), (10, 300), (50, 300), (Int.max, 300),
  ])
  func `the upper end of the wait doubles up to the cap`(failures: Int, seconds: Int) {
    #expect(policy.wait(afterFailures: failures, failure(), random: 1) == .seconds(seconds))
    #expect(policy.wait(afterFailures: failures, failure(), random: 0) == .seconds(1))
  }

  @Test func `a throttling target gets longer waits`() {
    #expect(policy.wait(afterFailures: 1, failure(.throttled), random: 1) == .seconds(5))
    #expect(policy.wait(afterFailures: 3, failure(.throttled), random: 1) == .seconds(20))
  }

  @Test(arguments: [
    (0, 0.0, 1), (30, 0, 30), (30, 1, 31), (3600, 0, 3600), (999_999_999, 0, 3600), (-5, 0, 1),
  ])
  func `the server's Retry-After is a minimum with a limit`(
    asked: Int, random: Double, seconds: Int
  ) {
    let failure = failure(retryAfter: .seconds(asked))
    #expect(policy.wait(afterFailures: 1, failure, random: random) == .seconds(seconds))
  }

  @Test(arguments: [(1, 1), (6, 32), (7, 60), (50, 60)])
  func `changed credentials are tried within a minute`(failures: Int, seconds: Int) {
    let failure = failure(.unauthorized)
    #expect(policy.wait(afterFailures: failures, failure, random: 1) == .seconds(seconds))
  }

  @Test func `a short Retry-After does not shorten our own wait`() {
    let failure = failure(retryAfter: .seconds(2))
    #expect(policy.wait(afterFailures: 10, failure, random: 1) == .seconds(300))
  }

  @Test func `every wait is within its bounds`() {
    let seed = TestSeed.value
    var random = SeededGenerator(seed: seed)
    for _ in 0..<2000 {
      let asked = Bool.random(using: &random) ? Int.random(in: -10...100_000, using: &random) : nil
      let wait = policy.wait(
        afterFailures: .random(in: 1...2000, using: &random),
        failure(retryAfter: asked.map { .seconds($0) }), random: .random(in: -1...2, using: &random)
      )
      #expect(wait >= .seconds(max(1, min(asked ?? 0, 3600))), "seed \(seed)")
      #expect(wait <= .seconds(3601), "seed \(seed)")
    }
  }
}
