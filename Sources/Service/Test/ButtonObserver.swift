import Capture
import Devices
import Synchronization

/// The observer of the buttons' lines, which passes their events to a button's test.
///
/// Without a test, the observer keeps only whether each line is watched, and its level.
final class ButtonObserver: Sendable {
  /// The state of a button's line.
  struct Line: Sendable {
    var isWatched = false
    var isDown = false
    /// The reason why the line could not be watched the last time.
    var failure: DeviceError?
  }

  private struct Test {
    var button: String
    var began: MonotonicInstant
    /// The end of the test; `nil` while it runs.
    var ended: MonotonicInstant?
  }

  private struct State {
    var lines: [String: Line] = [:]
    /// The running test, or the last one.
    var test: Test?
    var isFinished = false
  }

  private let state = Mutex(State())
  private let events = EventHub<ButtonTest.Event>()

  /// Notes that the watch of a button's line has begun.
  func begin(_ name: String, isDown: Bool) {
    state.withLock { $0.lines[name] = Line(isWatched: true, isDown: isDown) }
  }

  /// Notes that the watch of a button's line has ended.
  func end(_ name: String) {
    state.withLock { $0.lines[name, default: Line()].isWatched = false }
  }

  /// Notes that a button's line cannot be watched.
  func fail(_ name: String, _ error: any Error) {
    state.withLock { state in
      state.lines[name, default: Line()].isWatched = false
      state.lines[name, default: Line()].failure = error as? DeviceError
    }
  }

  /// Notes an edge of a button's line.
  func take(_ edge: LineEdge, of name: String) {
    state.withLock { $0.lines[name, default: Line()].isDown = edge.kind == .activated }
    tell(.edge(edge), of: name)
  }

  /// Notes lost edges of a button's line.
  func lose(_ count: Int, of name: String) { tell(.lostEdges(count), of: name) }

  /// Notes the interpretation of the edges.
  func note(_ output: ButtonPanel.Output) { tell(.told(output.event), of: output.button) }

  /// Ends the events, because the service ends and no button is watched.
  func finish() {
    state.withLock { $0.isFinished = true }
    events.finish()
  }

  // MARK: tests

  /// Returns the current state of a button's line.
  func line(of name: String) -> Line { state.withLock { $0.lines[name] ?? Line() } }

  /// Begins a test of a button.
  ///
  /// - Returns: the events from now on, with a tick at each call of ``tick()``. The stream ends
  ///   when the service does. The newest 4096 events are kept.
  func beginTest(_ name: String, at now: MonotonicInstant) -> AsyncStream<ButtonTest.Event> {
    let events = events.listen(limit: 4096)
    state.withLock { $0.test = Test(button: name, began: now) }
    return events
  }

  /// Sends a tick to the test.
  func tick() { events.send(.tick) }

  func endTest(at now: MonotonicInstant) {
    state.withLock { $0.test?.ended = now }
  }

  /// Returns whether a button's event at an instant belongs to its test.
  func covers(_ name: String, _ time: MonotonicInstant) -> Bool {
    state.withLock { state in
      guard let test = state.test, test.button == name, time >= test.began else { return false }
      return test.ended.map { time <= $0 } ?? true
    }
  }

  /// Whether the service has ended.
  var isFinished: Bool { state.withLock { $0.isFinished } }

  private func tell(_ event: ButtonTest.Event, of name: String) {
    let isTested = state.withLock { $0.test?.button == name && $0.test?.ended == nil }
    if isTested { events.send(event) }
  }
}
