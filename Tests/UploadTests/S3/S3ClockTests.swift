import Synchronization
import Testing

@testable import Transfer
@testable import Upload

@Suite struct S3ClockTests {
  private static let date = "Fri, 24 May 2013 00:00:00 GMT"
  private static let theirs: Int64 = 1_369_353_600

  struct Sample: Sendable {
    var status: Int
    var code: String?
    /// The difference of our clock to theirs, in seconds.
    var difference: Int64
    var isTaken: Bool
  }

  @Test(arguments: [
    Sample(status: 403, code: "RequestTimeTooSkewed", difference: 3600, isTaken: true),
    Sample(status: 403, code: "RequestTimeTooSkewed", difference: -86_400, isTaken: true),
    // The server's time does not improve a clock that is right within a second.
    Sample(status: 403, code: "RequestTimeTooSkewed", difference: 0, isTaken: false),
    Sample(status: 400, code: "AccessDenied", difference: -86_400, isTaken: true),
    Sample(status: 403, code: nil, difference: 301, isTaken: true),
    Sample(status: 403, code: "AccessDenied", difference: 299, isTaken: false),
    Sample(status: 400, code: "InvalidArgument", difference: 2, isTaken: false),
    Sample(status: 404, code: nil, difference: 86_400, isTaken: false),
    Sample(status: 200, code: nil, difference: 86_400, isTaken: false),
    Sample(status: 503, code: nil, difference: 86_400, isTaken: false),
  ])
  func `the server's time is adopted on a refusal only`(sample: Sample) {
    let body = sample.code.map { "<Error><Code>\($0)</Code></Error>" } ?? ""
    let answer = S3Answer(
      HTTPResponse(
        status: sample.status, headers: [HTTPHeader("Date", Self.date)], body: Array(body.utf8)))
    let assumed = Self.theirs + sample.difference
    let clock = S3Clock(wallNanoseconds: { assumed * 1_000_000_000 })
    #expect(clock.learn(from: answer, signedAt: assumed, elapsed: .zero) == sample.isTaken)
    #expect(clock.seconds == (sample.isTaken ? Self.theirs : assumed))
    #expect(clock.ownNanoseconds == assumed * 1_000_000_000)
  }

  @Test func `a clock that is set meanwhile is corrected again`() {
    let own = Mutex<Int64>(0)
    let clock = S3Clock(wallNanoseconds: { own.withLock { $0 } * 1_000_000_000 })
    let refusal = S3Answer(
      HTTPResponse(status: 403, headers: [HTTPHeader("Date", Self.date)]))
    #expect(clock.learn(from: refusal, signedAt: 0, elapsed: .zero))
    #expect(clock.seconds == Self.theirs)
    own.withLock { $0 = Self.theirs + 5 }
    #expect(clock.learn(from: refusal, signedAt: clock.seconds, elapsed: .zero))
    #expect(clock.seconds == Self.theirs)
  }

  /// The request is signed ten minutes before the answer, by a clock that is right or not.
  @Test(arguments: [(-600, false), (0, true)] as [(Int64, Bool)])
  func `a slow request is not taken for a wrong clock`(difference: Int64, isTaken: Bool) {
    let signed = Self.theirs + difference
    let refusal = S3Answer(
      HTTPResponse(status: 403, headers: [HTTPHeader("Date", Self.date)]))
    let clock = S3Clock(wallNanoseconds: { (signed + 600) * 1_000_000_000 })
    #expect(
      clock.learn(from: refusal, signedAt: signed, elapsed: .seconds(600)) == isTaken)
    #expect(clock.seconds == Self.theirs)
  }

  @Test func `an answer without a date does not correct the clock`() {
    let clock = S3Clock(wallNanoseconds: { 0 })
    #expect(!clock.learn(from: S3Answer(HTTPResponse(status: 403)), signedAt: 0, elapsed: .zero))
    let odd = HTTPResponse(status: 403, headers: [HTTPHeader("Date", "tomorrow")])
    #expect(!clock.learn(from: S3Answer(odd), signedAt: 0, elapsed: .zero))
  }
}
