import API
import Devices

/// A test of whether a picture reaches each target and is acknowledged.
///
/// The test follows an ordinary delivery with an ordinary receipt. If no picture waits, the test
/// takes one.
package struct UploadPartTest: PartTest {
  /// The part, see ``PartTest``.
  package let part = TestPart.upload
  private let seconds: Int

  /// Creates a test.
  ///
  /// - Parameter seconds: the time to wait for the receipts, 1 or more.
  package init(seconds: Int) { self.seconds = seconds }

  /// Runs the test, see ``PartTest``.
  package func run(
    _ client: RigClient, _ guide: TestGuide
  ) async throws(RigClientError) -> [TestResult] {
    let status = try await client.status()
    guard !status.targets.isEmpty else {
      return [TestResult(.upload, .skipped, seen: ["this rig has no target"])]
    }
    if let held = status.targets.first(where: { !$0.holds.isEmpty }) {
      let isPaused = held.holds.contains("technician")
      return [
        TestResult(
          .upload, subject: held.name, .failed,
          seen: ["uploads are held back: \(held.holds.joined(separator: ", "))"],
          code: isPaused ? "uploadsPaused" : "uploadsHeld")
      ]
    }
    guard let id = try await oldestWaiting(client) else {
      guide.say("Nothing waits to be uploaded: a picture is taken for it now.")
      let (taken, id) = try await CameraPartTest().take(client, guide)
      guard let id else {
        var failed = taken
        failed.part = .upload
        return [failed]
      }
      return try await follow(id, isNew: true, client, guide)
    }
    guide.say(
      status.spool.waiting.counted(
        "picture waits. It is tried now, and followed.",
        "pictures wait. They are tried now, and the oldest one is followed."))
    return try await follow(id, isNew: false, client, guide)
  }

  /// Returns the oldest picture with a pending delivery; parked pictures do not count.
  private func oldestWaiting(_ client: RigClient) async throws(RigClientError) -> String? {
    if let id = try await client.call(Operations.spoolStatistics).oldestWaiting {
      let item = try await client.call(Operations.spoolItem, SpoolItemReference(id))
      if item.deliveries.contains(where: { $0.state.value == .pending }) { return id }
    }
    for state in [SpoolItemFilter.State.stored, .delivering] {
      let items = try await client.call(
        Operations.spoolItems, SpoolItemFilter(state: state, limit: 1000)
      ).items
      if let item = items.last(where: { $0.deliveries.contains { $0.state.value == .pending } }) {
        return item.id
      }
    }
    return nil
  }

  /// Follows a picture until each target has acknowledged it or failed, or the timeout expires.
  private func follow(
    _ id: String, isNew: Bool, _ client: RigClient, _ guide: TestGuide
  ) async throws(RigClientError) -> [TestResult] {
    try await guide.wait("waiting for receipts", seconds: seconds) { () throws(RigClientError) in
      try await watch(id, isNew: isNew, client, guide)
    }
  }

  private func watch(
    _ id: String, isNew: Bool, _ client: RigClient, _ guide: TestGuide
  ) async throws(RigClientError) -> [TestResult] {
    let clock = ContinuousClock()
    let start = clock.now
    let before = try await client.status().targets
    var progress = UploadProgress(
      try await client.call(Operations.spoolItem, SpoolItemReference(id)), isNew: isNew, before)
    _ = try await client.call(Operations.retryTargets, TargetRetryRequest())
    var lines: [String] = []
    while true {
      // The picture is read after the targets, so its own failure is not mistaken for another's.
      let targets = try await client.status().targets
      let item = try await client.call(Operations.spoolItem, SpoolItemReference(id))
      let elapsed = start.duration(to: clock.now) / .seconds(1)
      progress.take(item, after: elapsed)
      progress.take(targets, after: elapsed)
      let now = progress.lines(targets)
      for line in now where !lines.contains(line) { guide.say(line) }
      lines = now
      if progress.isOver || Task.isCancelled { break }
      if start.duration(to: clock.now) >= .seconds(seconds) { break }
      // A service that no longer answers is noticed by a question, and not by a missing event.
      try? await Task.sleep(for: .milliseconds(500))
    }
    return progress.results(after: seconds)
  }
}
