import Capture
import Devices
import Synchronization

/// Sees what the buttons' lines do, and tells somebody who tests a button.
///
/// Without a test it keeps no more than whether each line is watched and which way it is.
final class ButtonWitness: Sendable {
  /// What is known of a button's line.
  struct Line: Sendable {
    var isWatched = false
    var isDown = false
    /// Why it could not be watched the last time.
    var failure: DeviceError?
  }

  private struct Test {
    var button: String
    var sink: AsyncStream<ButtonTest.Event>.Continuation?
    var began: MonotonicInstant
    /// When it was over; `nil` while it goes on.
    var ended: MonotonicInstant?
  }

  private struct State {
    var lines: [String: Line] = [:]
    /// The test that goes on, or the last one.
    var test: Test?
    var isFinished = false
  }

  private let state = Mutex(State())

  /// A button's line begins to be watched.
  func begin(_ name: String, isDown: Bool) {
    state.withLock { $0.lines[name] = Line(isWatched: true, isDown: isDown) }
  }

  /// A button's line is no longer watched.
  func end(_ name: String) {
    state.withLock { $0.lines[name, default: Line()].isWatched = false }
  }

  /// A button's line could not be watched.
  func fail(_ name: String, _ error: any Error) {
    state.withLock { $0.lines[name, default: Line()].failure = error as? DeviceError }
  }

  /// A button's line had an edge.
  func take(_ edge: LineEdge, of name: String) {
    state.withLock { $0.lines[name, default: Line()].isDown = edge.kind == .activated }
    tell(.edge(edge), of: name)
  }

  /// A button's line lost edges.
  func lose(_ count: Int, of name: String) { tell(.lostEdges(count), of: name) }

  /// What the edges were understood as.
  func note(_ output: ButtonPanel.Output) { tell(.told(output.event), of: output.button) }

  /// The buttons are not watched any more, because the service ends.
  func finish() {
    let sink = state.withLock { state in
      state.isFinished = true
      return state.test?.sink
    }
    sink?.finish()
  }

  // MARK: tests

  /// What is known of a button's line now.
  func line(of name: String) -> Line { state.withLock { $0.lines[name] ?? Line() } }

  /// A test of a button begins.
  ///
  /// - Returns: what happens from now on, with a tick whenever ``tick()`` is called; it ends when the
  ///   service does. The newest 4096 events are kept.
  func beginTest(_ name: String, at now: MonotonicInstant) -> AsyncStream<ButtonTest.Event> {
    let (events, sink) = AsyncStream.makeStream(
      of: ButtonTest.Event.self, bufferingPolicy: .bufferingNewest(4096))
    let isFinished = state.withLock { state in
      state.test = Test(button: name, sink: sink, began: now)
      return state.isFinished
    }
    if isFinished { sink.finish() }
    return events
  }

  /// Lets the test look at the time.
  func tick() {
    _ = state.withLock { $0.test?.sink }?.yield(.tick)
  }

  /// The test is over.
  func endTest(at now: MonotonicInstant) {
    state.withLock { state in
      state.test?.sink = nil
      state.test?.ended = now
    }
  }

  /// Whether what a button did at an instant belongs to a test of it.
  func covers(_ name: String, _ time: MonotonicInstant) -> Bool {
    state.withLock { state in
      guard let test = state.test, test.button == name, time >= test.began else { return false }
      return test.ended.map { time <= $0 } ?? true
    }
  }

  /// Whether the service has ended.
  var isFinished: Bool { state.withLock { $0.isFinished } }

  private func tell(_ event: ButtonTest.Event, of name: String) {
    let sink = state.withLock { $0.test?.button == name ? $0.test?.sink : nil }
    sink?.yield(event)
  }
}
