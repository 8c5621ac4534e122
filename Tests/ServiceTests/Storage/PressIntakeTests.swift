import Devices
import Spool
import Testing

@testable import Service

/// Presses from many tasks are entered while the spool writes others; also for ThreadSanitizer.
@Suite(.timeLimit(.minutes(10))) struct PressIntakeTests {
  private let scratch = ScratchSpool()

  @Test func `presses are entered from many tasks while others are written`() async throws {
    let spool = try await scratch.open()
    let (tasks, presses) = (4, 500)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<tasks {
        group.addTask {
          for number in 0..<presses {
            spool.enter(
              PressEntry(
                number: Int64(task * presses + number + 1),
                time: CaptureTime(
                  bootID: "b", monotonicNanoseconds: 1, wallNanoseconds: 1, wallTrust: .unknown),
                source: .button))
          }
        }
      }
      group.addTask { for _ in 0..<50 { try await spool.writePresses() } }
      try await group.waitForAll()
    }
    while try await spool.writePresses() {}
    let entries = try await spool.presses(PressQuery(limit: 10_000))
    #expect(entries.map(\.number) == (1...Int64(tasks * presses)).reversed())
    #expect(try await spool.pressCounts().lostEntries == 0)
    await spool.close()
  }
}
