import Capture
import Devices

/// The owner of the ``ButtonPanel``, which it asks again at the panel's deadline.
actor ButtonDispatcher {
  /// The time that an edge may take from the kernel to the panel.
  ///
  /// Decisions wait for this time, so that the timer does not overtake a second push.
  static let delivery = Duration.milliseconds(10)

  private var panel: ButtonPanel
  private let clock: any MonotonicClock
  private let sink: AsyncStream<ButtonPanel.Output>.Continuation
  private let observer: ButtonObserver
  private var timer: (task: Task<Void, Never>, deadline: MonotonicInstant)?

  init(
    _ panel: ButtonPanel, clock: any MonotonicClock,
    sink: AsyncStream<ButtonPanel.Output>.Continuation, observer: ButtonObserver
  ) {
    self.panel = panel
    self.clock = clock
    self.sink = sink
    self.observer = observer
  }

  /// Begins the watch of a button's line.
  func begin(_ name: String, isDown: Bool) {
    observer.begin(name, isDown: isDown)
    tell(panel.begin(name, isDown: isDown, at: clock.now))
  }

  /// Ends the watch of a button's line.
  func end(_ name: String) {
    observer.end(name)
    tell(panel.end(name, at: clock.now))
  }

  /// Ends the watch of a button's line that cannot be read.
  func fail(_ name: String, _ error: any Error) {
    observer.fail(name, error)
    tell(panel.fail(name, at: clock.now))
  }

  /// Passes an edge of a button's line to the panel.
  func take(_ edge: LineEdge, of name: String) {
    observer.take(edge, of: name)
    tell(panel.take(edge, of: name))
  }

  /// Notes lost edges of a button's line.
  func lose(_ count: Int, of name: String) {
    observer.lose(count, of: name)
    tell(panel.lose(count, of: name, at: clock.now))
  }

  /// Ends the outputs; the watches of the lines must have ended before.
  func finish() {
    timer?.task.cancel()
    timer = nil
    sink.finish()
    observer.finish()
  }

  private func tell(_ outputs: [ButtonPanel.Output]) {
    for output in outputs {
      observer.note(output)
      sink.yield(output)
    }
    setTimer()
  }

  /// Sets the timer if the deadline is earlier than the current one.
  ///
  /// A timer that fires too early has no effect. During chatter, each edge moves the deadline, and
  /// no edge starts a task.
  private func setTimer() {
    guard let deadline = panel.deadline?.advanced(by: Self.delivery) else { return }
    if let timer, timer.deadline <= deadline { return }
    timer?.task.cancel()
    timer = (
      Task { [weak self, clock] in
        do { try await clock.sleep(until: deadline) } catch { return }
        await self?.timeHasCome(deadline)
      }, deadline
    )
  }

  private func timeHasCome(_ deadline: MonotonicInstant) {
    guard timer?.deadline == deadline else { return }
    timer = nil
    tell(panel.advance(to: clock.now.advanced(by: .zero - Self.delivery)))
  }
}
