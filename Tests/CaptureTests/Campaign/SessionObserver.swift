import Capture
import Devices
import Synchronization
import Testing

/// A flag that is set once at the end of some work.
final class Completion: Sendable {
  private let state = Mutex(false)
  var isFinished: Bool { state.withLock { $0 } }
  func finish() { state.withLock { $0 = true } }
}

/// A collection of the numbers of presses, for tasks that press at the same time.
final class PressedNumbers: Sendable {
  private let numbers = Mutex<[Int64]>([])
  var all: [Int64] { numbers.withLock { $0 } }

  /// Keeps a number; `nil` for a press without a number, which has no outcome either.
  func note(_ number: Int64?) {
    if let number { numbers.withLock { $0.append(number) } }
  }
}

/// A collector of a session's events that checks the rules for all of them.
struct SessionObserver {
  struct Seen {
    var finished: [Int64: Int] = [:]
    var storedCount = 0
    var interruptionCount = 0
    /// Events at which the log of interruptions and the readiness contradicted each other.
    var readyWhileInterrupted = 0
    /// The last reported readiness.
    var readiness: Readiness?
    var unpairedEnds = 0
    /// Times at which another camera was in use than the one that its role names.
    var wrongCameras = 0
    var stepsAfterEnd = 0
    var lasting: Set<InterruptionReason> = []
    var records: [Int64: Int] = [:]
    /// The cameras by their roles, as far as known.
    var cameras: [CameraRole: CameraDescription.ID] = [:]

    /// Checks the rules that hold for every course of events.
    ///
    /// - Parameter presses: the numbers of all presses.
    func check(_ name: String, presses: [Int64]) {
      #expect(presses.count == Set(presses).count, "\(name): a number was given twice")
      #expect(Set(presses) == Set(finished.keys), "\(name): a press without an outcome")
      #expect(readyWhileInterrupted == 0, "\(name): ready while interrupted")
      #expect(unpairedEnds == 0, "\(name): an interruption ended that had not begun")
      #expect(wrongCameras == 0, "\(name): another role's camera was in use")
      #expect(lasting.isEmpty, "\(name): \(lasting) never ended")
      #expect(stepsAfterEnd == 0, "\(name): a step came after the end of its capture")
      let twice = finished.filter { $0.value != 1 }
      #expect(twice.isEmpty, "\(name): captures that ended more than once: \(twice)")
      #expect(Set(records.keys) == Set(finished.keys), "\(name): a press without an outcome")
    }
  }

  private let task: Task<Seen, Never>

  init(
    _ events: AsyncStream<CaptureEvent>, cameras: [CameraRole: CameraDescription.ID] = [:]
  ) {
    task = Task {
      var seen = Seen(cameras: cameras)
      for await event in events { seen.take(event) }
      return seen
    }
  }

  /// Waits until the session has ended.
  func finish() async -> Seen { await task.value }
}

extension SessionObserver.Seen {
  mutating func take(_ event: CaptureEvent) {
    switch event {
    case .readiness(let readiness):
      self.readiness = readiness
    case .press(let record): records[record.press.number, default: 0] += 1
    case .progress(let progress):
      if finished[progress.uniqueID] != nil { stepsAfterEnd += 1 }
      if case .finished(let outcome) = progress.step {
        finished[progress.uniqueID, default: 0] += 1
        if case .stored = outcome { storedCount += 1 }
      }
    case .interruption(let interruption):
      if interruption.endedAt == nil {
        interruptionCount += 1
        lasting.insert(interruption.reason)
      } else if lasting.remove(interruption.reason) == nil {
        unpairedEnds += 1
      }
    case .session(let status):
      let named = status.cameraRole.flatMap { cameras[$0] }
      if let named, named != status.camera?.id { wrongCameras += 1 }
    case .configuration, .rotation, .movie: break
    }
    checkReadiness(at: event)
  }

  /// Compares the interruptions from the session's log with the readiness.
  ///
  /// The readiness comes from a separate set. An interruption enters the readiness before its begin
  /// is sent, and leaves it before its end is sent. A readiness may therefore be ahead of the log.
  /// For all other events both agree.
  private mutating func checkReadiness(at event: CaptureEvent) {
    if case .readiness = event { return }
    guard !lasting.isEmpty else { return }
    let refusing = [CaptureReadiness.sessionNotRunning, .notReadyMomentarily]
    let isRefusing = readiness.map { refusing.contains($0.state) } ?? false
    let isKnown = lasting.isSubset(of: readiness?.reasons ?? [])
    if !isRefusing || !isKnown { readyWhileInterrupted += 1 }
  }
}
