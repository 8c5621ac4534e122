import Capture
import Devices
import RigConfiguration

@testable import Service

/// A recorder of the requested actions, one line each.
actor RecordedActions: ButtonActions {
  private nonisolated let lines: AsyncStream<String>
  private nonisolated let report: AsyncStream<String>.Continuation
  private var isPaused = false
  /// The number of actions so far.
  private(set) var count = 0
  private var held: (action: ButtonAction, stream: AsyncStream<Void>)?
  private nonisolated let returns: AsyncStream<Void>
  private nonisolated let reportReturn: AsyncStream<Void>.Continuation

  init() {
    (lines, report) = AsyncStream.makeStream()
    (returns, reportReturn) = AsyncStream.makeStream()
  }

  /// Holds an action until the returned continuation is finished.
  func hold(_ action: ButtonAction) -> AsyncStream<Void>.Continuation {
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
    held = (action, stream)
    return continuation
  }

  /// Waits until a held action has returned.
  nonisolated func untilReturned() async {
    await returns.first { true }
  }

  private func last(_ action: ButtonAction) async {
    guard let held, held.action == action else { return }
    for await _ in held.stream {}
    reportReturn.yield()
  }

  /// Waits for the next action and returns its line.
  nonisolated func next() async -> String? {
    await lines.first { _ in true }
  }

  private func note(_ line: String) {
    count += 1
    report.yield(line)
  }

  private func at(_ time: MonotonicInstant) -> String { "@\(time.nanoseconds / 1_000_000)" }

  func shoot(at time: MonotonicInstant, gesture: Gesture, button: String) async {
    note("shoot \(gesture.rawValue) \(button) \(at(time))")
    await last(.shoot)
  }
  func retake(at time: MonotonicInstant, gesture: Gesture, button: String) async {
    note("retake \(gesture.rawValue) \(button) \(at(time))")
  }
  func bracket(at time: MonotonicInstant, gesture: Gesture, button: String) async {
    note("bracket \(gesture.rawValue) \(button) \(at(time))")
  }
  func anticipate(at time: MonotonicInstant, button: String) async {
    note("anticipate \(button) \(at(time))")
  }
  func withdraw(at time: MonotonicInstant, button: String) async {
    note("withdraw \(button) \(at(time))")
  }
  func record(at time: MonotonicInstant, gesture: Gesture, button: String) async {
    note("record \(gesture.rawValue) \(button) \(at(time))")
    await last(.record)
  }
  func focus(button: String) async {
    note("focus \(button)")
    await last(.focus)
  }
  func switchCamera(button: String) async {
    note("switchCamera \(button)")
    await last(.switchCamera)
  }
  var areUploadsPaused: Bool { isPaused }
  func setUploadsPaused(_ isPaused: Bool, button: String) async {
    self.isPaused = isPaused
    note("\(isPaused ? "pause" : "resume") \(button)")
  }
  func setPowerOffArmed(until instant: MonotonicInstant?, button: String) async {
    note(
      instant.map { "armed \($0.nanoseconds / 1_000_000) \(button)" } ?? "called off \(button)")
  }
  func powerOff(button: String) async { note("powerOff \(button)") }
  func beginFault(_ reason: InterruptionReason, button: String) async {
    note("fault \(reason) \(button)")
  }
  func endFault(_ reason: InterruptionReason, button: String) async {
    note("end \(reason) \(button)")
  }
  func noteSpikes(_ count: Int, button: String) async { note("spikes \(count) \(button)") }
  func loseEdges(_ count: Int, at time: MonotonicInstant, button: String) async {
    note("lost \(count) \(button) \(at(time))")
  }
}
