import API
import Testing

@testable import Service

@Suite struct VerificationRunsTests {
  @Test func `the progress is that of the newest run`() {
    let runs = VerificationRuns()
    #expect(!runs.progress(of: 0).isRunning)

    let first = runs.begin()
    runs.advance(first, rows: 3, hashedBytes: 300)
    let second = runs.begin()
    runs.advance(second, rows: 1, hashedBytes: 100)
    runs.advance(first, rows: 4, hashedBytes: 400)
    let both = runs.progress(of: 1000)
    #expect(both.isRunning && both.rows == 1 && both.hashedBytes == 100 && both.bytes == 1000)

    runs.end()
    #expect(runs.progress(of: 1000).isRunning)
    runs.end()
    let after = runs.progress(of: 1000)
    #expect(!after.isRunning && after.hashedBytes == 100)
  }
}
