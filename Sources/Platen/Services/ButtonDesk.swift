import Capture
import Devices

/// Keeps the one ``ButtonPanel`` and asks it again when its time has come.
actor ButtonDesk {
  /// How long an edge may be on its way from the kernel to here: decisions wait for that, so that a
  /// second push is not overtaken by the clock.
  static let delivery = Duration.milliseconds(10)

  private var panel: ButtonPanel
  private let clock: any MonotonicClock
  private let sink: AsyncStream<ButtonPanel.Output>.Continuation
  private let witness: ButtonWitness
  private var timer: (task: Task<Void, Never>, deadline: MonotonicInstant)?

  /// Makes a desk whose panel's outputs go to a sink.
  init(
    _ panel: ButtonPanel, clock: any MonotonicClock,
    sink: AsyncStream<ButtonPanel.Output>.Continuation, witness: ButtonWitness
  ) {
    self.panel = panel
    self.clock = clock
    self.sink = sink
    self.witness = witness
  }

  /// A button's line begins to be watched.
  func begin(_ name: String, isDown: Bool) {
    witness.begin(name, isDown: isDown)
    tell(panel.begin(name, isDown: isDown, at: clock.now))
  }

  /// A button's line is no longer watched.
  func end(_ name: String) {
    witness.end(name)
    tell(panel.end(name, at: clock.now))
  }

  /// A button's line had an edge.
  func take(_ edge: LineEdge, of name: String) {
    witness.take(edge, of: name)
    tell(panel.take(edge, of: name))
  }

  /// A button's line lost edges.
  func lose(_ count: Int, of name: String) {
    witness.lose(count, of: name)
    tell(panel.lose(count, of: name, at: clock.now))
  }

  /// Ends the outputs; the lines must have been ended before.
  func finish() {
    timer?.task.cancel()
    timer = nil
    sink.finish()
    witness.finish()
  }

  private func tell(_ outputs: [ButtonPanel.Output]) {
    for output in outputs {
      witness.note(output)
      sink.yield(output)
    }
    setTimer()
  }

  /// A timer that goes off too early asks in vain, so only an earlier deadline needs a new one:
  /// each edge of a storm moves the deadline, and none of them starts a task.
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
