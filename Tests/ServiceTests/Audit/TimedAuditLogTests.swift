import Synchronization
import TestSupport
import Testing

@testable import API
@testable import Service

/// An audit log on a disk that hangs.
@Suite(.timeLimit(.minutes(10))) struct TimedAuditLogTests {
  /// A log that keeps all callers waiting until it is released.
  private actor HangingLog: AuditLog {
    private(set) var notes: [AuditNote] = []
    private var isHanging = true
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func enter(_ note: AuditNote) async throws(APIError) {
      notes.append(note)
      if isHanging { await withCheckedContinuation { waiting.append($0) } }
    }

    func entries(limit: Int) async throws(APIError) -> [AuditEntry] {
      if isHanging { await withCheckedContinuation { waiting.append($0) } }
      return []
    }

    func goOn() {
      isHanging = false
      for continuation in waiting { continuation.resume() }
      waiting = []
    }
  }

  private let note = AuditNote(
    run: "r", request: 1, stage: .began, caller: CallerReport(.unknown), method: "POST",
    path: "/v1/machine/restart")

  private func refused(
    _ clock: ManualClock, _ question: @escaping @Sendable () async throws -> Void
  ) async -> APIError.Code? {
    let task = Task { try await question() }
    await clock.untilSleepers(1)
    clock.advance(by: TimedAuditLog.limit)
    let result = await task.result
    guard case .failure(let error as APIError) = result else { return nil }
    return error.code
  }

  @Test func `a note that comes too late is withdrawn`() async throws {
    let clock = ManualClock()
    let hanging = HangingLog()
    let log = TimedAuditLog(hanging, clock: clock)
    let note = note
    let withdrawal = AuditNote(
      run: "r", request: 1, stage: .ended, caller: CallerReport(.unknown), method: "POST",
      path: "/v1/machine/restart", status: 503, error: "unavailable", omitted: nil)
    #expect(
      await refused(clock) { try await log.enter(note, withdrawal: withdrawal) } == .unavailable)
    await hanging.goOn()
    try await eventually { await hanging.notes.count >= 2 }
    #expect(await hanging.notes == [note, withdrawal])
    // A note that comes in time is kept, once the late note has come back.
    try await eventually {
      do throws(APIError) {
        try await log.enter(note, withdrawal: withdrawal)
        return true
      } catch {
        guard error.code == .unavailable else { throw error }
        return false
      }
    }
    #expect(await hanging.notes == [note, withdrawal, note])
  }

  @Test func `a canceled caller does not report a hanging disk`() async throws {
    let hanging = HangingLog()
    let log = TimedAuditLog(hanging, clock: ManualClock())
    let note = note
    let task = Task { try await log.enter(note) }
    try await eventually { await !hanging.notes.isEmpty }
    task.cancel()
    await hanging.goOn()
    try await task.value
  }

  @Test func `callers are answered while the disk hangs`() async throws {
    let clock = ManualClock()
    let hanging = HangingLog()
    let log = TimedAuditLog(hanging, clock: clock)
    let note = note
    #expect(await refused(clock) { try await log.enter(note) } == .unavailable)
    try await eventually { await hanging.notes.count == 1 }

    // The next notes are refused without a wait, and nothing piles up behind the disk.
    for _ in 1...100 {
      let error = await #expect(throws: APIError.self) { try await log.enter(note) }
      #expect(error?.code == .unavailable)
    }
    let looked = await #expect(throws: APIError.self) { try await log.entries(limit: 1) }
    #expect(looked?.code == .unavailable)
    #expect(await hanging.notes.count == 1)

    await hanging.goOn()
    try await eventually { (try? await log.enter(note)) != nil }
    #expect(try await log.entries(limit: 1).isEmpty)
  }
}
