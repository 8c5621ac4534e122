import API
import Testing

@testable import Console

@Suite struct UploadProgressTests {
  private func item(_ deliveries: [(String, String, Int)]) -> SpoolItemReport {
    SpoolItemReport(
      id: "p", press: 1, state: "stored", reason: nil, path: "/p", bytes: 2000, sha256: "a",
      remoteName: "p", mediaType: nil,
      captured: CaptureTimeReport(
        time: nil, trust: "unknown", bootID: nil, monotonicNanoseconds: nil),
      duplicateOf: nil, nearDuplicateOf: nil,
      deliveries: deliveries.map { name, state, attempts in
        DeliveryStateReport(
          target: name, state: Word(rawValue: state), attempts: attempts,
          failure: attempts > 0 ? "rejected" : nil,
          detail: attempts > 0 ? "the server is away" : nil,
          receipt: state == "done"
            ? ReceiptReport(
              target: name, remoteName: "p", sha256: "a", status: 201, duplicate: true,
              url: "http://x/p") : nil)
      })
  }

  @Test func `each target has its receipt or its failure`() {
    var progress = UploadProgress(
      item([("a", "pending", 2), ("b", "pending", 0), ("c", "done", 0)]), isNew: false, [])
    #expect(!progress.isOver && progress.lines([]).count == 2)
    progress.take(item([("a", "pending", 2), ("b", "done", 0), ("c", "done", 0)]), after: 1.5)
    #expect(!progress.isOver && progress.lines([]) == ["to a: unknown"])
    progress.take(item([("a", "pending", 3), ("b", "done", 0), ("c", "done", 0)]), after: 2)
    #expect(progress.isOver)
    let results = progress.results(after: 60)
    #expect(results.map(\.subject) == ["a", "b"])
    #expect(results.map(\.verdict) == [.failed, .passed])
    #expect(results[0].seen == ["p was not delivered: an attempt failed", "the server is away"])
    #expect(
      results[1].seen == [
        "p, 2.0 kB, acknowledged after 1.5 s",
        "the answer was 201, it was there already: http://x/p",
      ])
    #expect(results[1].figures["uploadSeconds"] == 1.5)
  }

  @Test func `a picture that is delivered at once counts`() {
    var progress = UploadProgress(item([("a", "done", 0), ("b", "done", 1)]), isNew: true, [])
    progress.take(item([("a", "done", 0), ("b", "done", 1)]), after: 0.5)
    #expect(progress.results(after: 60).map(\.verdict) == [.passed, .passed])
  }

  @Test(arguments: ["parked", "quarantined", "evicted"])
  func `a picture that is not delivered any more has failed`(_ state: String) {
    var progress = UploadProgress(item([("a", "pending", 0)]), isNew: false, [])
    progress.take(item([("a", state, 0)]), after: 1)
    #expect(progress.isOver && progress.results(after: 60)[0].verdict == .failed)
  }

  private func target(failures: Int, _ state: String, _ detail: String? = nil) -> TargetReport {
    TargetReport(
      name: "a", kind: "webdav", url: "http://x", state: Word(rawValue: state),
      detail: detail, failures: failures)
  }

  @Test func `a target that fails for another picture has failed`() {
    var progress = UploadProgress(
      item([("a", "pending", 1)]), isNew: false, [target(failures: 3, "waitingToRetry")])
    progress.take([target(failures: 3, "waitingToRetry", "as before")], after: 1)
    progress.take([target(failures: 4, "delivering")], after: 2)
    #expect(!progress.isOver)
    progress.take([target(failures: 4, "waitingToRetry", "connection refused")], after: 3)
    #expect(progress.isOver)
    let result = progress.results(after: 60)[0]
    #expect(result.verdict == .failed)
    #expect(
      result.seen == ["the target failed at another picture, before p", "connection refused"])
  }

  @Test func `a picture that takes too long has failed`() {
    let progress = UploadProgress(item([("a", "pending", 4)]), isNew: false, [])
    let result = progress.results(after: 60)[0]
    #expect(result.verdict == .failed && result.code == "rejected")
    #expect(result.seen[0] == "p has no receipt after 60 s")
  }
}
