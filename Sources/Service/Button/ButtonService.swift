import Capture
import Devices
import Logging
import RigConfiguration
import ServiceLifecycle
import Synchronization

/// The service that watches the buttons' lines and performs the actions of their gestures.
///
/// On shutdown the service releases the lines at once, so that no press comes that cannot be
/// finished. Gestures decided earlier are still performed.
struct ButtonService: Service {
  /// A button and its line.
  struct Button: Sendable {
    let section: ButtonSection
    let line: any ButtonLine

    var name: String { section.name }

    /// Whether a push may become a picture of its moment.
    var takesPictures: Bool {
      section.actions.values.contains(where: \.takesPictures)
    }
  }

  let buttons: [Button]
  let actions: any ButtonActions
  let clock: any MonotonicClock
  let logger: Logger
  /// The observer for a test of a button.
  var observer = ButtonObserver()

  func run() async throws {
    // The stream is unbounded: debounced gestures are few, and chatter produces none.
    let (outputs, sink) = AsyncStream.makeStream(
      of: ButtonPanel.Output.self, bufferingPolicy: .unbounded)
    let dispatcher = ButtonDispatcher(
      ButtonPanel(buttons.map(\.section.button), at: clock.now), clock: clock, sink: sink,
      observer: observer)
    // The task is not canceled with the watches, so that decided gestures are performed.
    let performing = Task { await perform(outputs) }
    await cancelWhenGracefulShutdown {
      await withDiscardingTaskGroup { group in
        for button in buttons { group.addTask { await watch(button, dispatcher) } }
      }
    }
    await dispatcher.finish()
    await performing.value
  }

  // MARK: watching

  private func watch(_ button: Button, _ dispatcher: ButtonDispatcher) async {
    var lastFailure: String?
    while !Task.isCancelled {
      await watchUntilItFails(button, dispatcher, &lastFailure)
      // No event tells that a line is there again.
      do { try await clock.sleep(for: .seconds(1)) } catch { break }
    }
  }

  /// Follows a line until it fails; a repeated failure is logged once.
  private func watchUntilItFails(
    _ button: Button, _ dispatcher: ButtonDispatcher, _ lastFailure: inout String?
  ) async {
    do {
      let watch = try await button.line.watch()
      lastFailure = nil
      await dispatcher.begin(button.name, isDown: watch.isActiveAtStart)
      for await event in watch.events {
        switch event {
        case .edge(let edge): await dispatcher.take(edge, of: button.name)
        case .lostEdges(let count): await dispatcher.lose(count, of: button.name)
        case .failed(let error): throw error
        }
      }
      await dispatcher.end(button.name)
    } catch {
      if "\(error)" != lastFailure {
        logger.error(
          "a button cannot be read, trying again",
          metadata: ["button": "\(button.name)", "error": "\(error)"])
      }
      lastFailure = "\(error)"
      await dispatcher.fail(button.name, error)
    }
    await button.line.release()
  }

  // MARK: performing

  private func perform(_ outputs: AsyncStream<ButtonPanel.Output>) async {
    var handlers = Dictionary(
      uniqueKeysWithValues: buttons.map {
        ($0.name, ButtonHandler(button: $0, actions: actions, observer: observer))
      })
    let running = RunningActions()
    let shots = ShotLine()
    await withDiscardingTaskGroup { group in
      for await output in outputs {
        switch await handlers[output.button]?.take(output.event) {
        case .shot(let shot)?:
          guard shots.enter(shot) else { continue }
          // The task starts at once: a press is judged when it comes, before any later event.
          group.addImmediateTask {
            while let shot = shots.next() { await take(shot) }
          }
        case .action(let action)?:
          guard running.begin(action.action) else {
            logger.warning(
              "a button asks for what is being done already, refused",
              metadata: [
                "button": "\(output.button)", "button.action": "\(action.action.rawValue)",
              ])
            continue
          }
          group.addTask {
            await perform(action)
            running.end(action.action)
          }
        case nil: break
        }
      }
    }
  }

  /// Takes a picture: its press gets a number, which may wait for the disk.
  private func take(_ shot: Shot) async {
    switch shot.action {
    case .retake:
      await actions.retake(at: shot.time, gesture: shot.gesture, button: shot.button)
    case .bracket:
      await actions.bracket(at: shot.time, gesture: shot.gesture, button: shot.button)
    default:
      await actions.shoot(at: shot.time, gesture: shot.gesture, button: shot.button)
    }
  }

  /// Performs a slow action.
  private func perform(_ asked: Shot) async {
    let button = asked.button
    switch asked.action {
    case .record: await actions.record(at: asked.time, gesture: asked.gesture, button: button)
    case .focus: await actions.focus(button: button)
    case .switchCamera: await actions.switchCamera(button: button)
    case .powerOff: await actions.powerOff(button: button)
    case .shoot, .retake, .bracket, .pauseUploads: break
    }
  }

  /// A slow action of a gesture, performed in parallel with all else.
  private enum SlowAction {
    /// A picture; pictures are taken one after the other.
    case shot(Shot)
    /// Another action, in any order.
    case action(Shot)
  }

  /// The handling of one button's events, including its anticipated frame.
  private struct ButtonHandler {
    let button: Button
    let actions: any ButtonActions
    let observer: ButtonObserver
    var anticipated: MonotonicInstant?
    var isArmed = false

    /// Handles an event; returns a slow action that remains to be performed.
    mutating func take(_ event: ButtonEvent) async -> SlowAction? {
      switch event {
      case .anticipated(let time):
        guard button.takesPictures else { break }
        anticipated = time
        await actions.anticipate(at: time, button: button.name)
      case .gesture(let gesture, let time): return await take(gesture, at: time)
      case .withdrawn:
        await withdraw()
        if isArmed { await actions.setPowerOffArmed(until: nil, button: button.name) }
        isArmed = false
      case .armed(let time, let until):
        await withdraw()
        guard !observer.covers(button.name, time) else { break }
        isArmed = true
        await actions.setPowerOffArmed(until: until, button: button.name)
      case .faultBegan(let reason, _): await actions.beginFault(reason, button: button.name)
      case .faultEnded(let reason, _): await actions.endFault(reason, button: button.name)
      case .lostEdges(let count, let time):
        await actions.loseEdges(count, at: time, button: button.name)
      case .spikes(let count, _): await actions.noteSpikes(count, button: button.name)
      }
      return nil
    }

    private mutating func take(_ gesture: Gesture, at time: MonotonicInstant) async -> SlowAction? {
      let action = button.section.actions[gesture]
      let takesPictures = action?.takesPictures == true
      if observer.covers(button.name, time), !takesPictures {
        await forgo()
        return nil
      }
      isArmed = false
      if takesPictures { anticipated = nil } else { await withdraw() }
      switch action {
      case .shoot?, .retake?, .bracket?:
        return action.map {
          .shot(Shot(action: $0, time: time, gesture: gesture, button: button.name))
        }
      case .pauseUploads:
        await actions.setUploadsPaused(!actions.areUploadsPaused, button: button.name)
      case .record, .focus, .switchCamera, .powerOff:
        return action.map {
          .action(Shot(action: $0, time: time, gesture: gesture, button: button.name))
        }
      case nil: break
      }
      return nil
    }

    /// Withdraws the effects of a gesture during a button test; a press is refused later instead.
    private mutating func forgo() async {
      await withdraw()
      if isArmed { await actions.setPowerOffArmed(until: nil, button: button.name) }
      isArmed = false
    }

    private mutating func withdraw() async {
      guard let time = anticipated else { return }
      anticipated = nil
      await actions.withdraw(at: time, button: button.name)
    }
  }
}

/// A requested picture or another action, with the instant and the gesture of its press.
private struct Shot: Sendable {
  var action: ButtonAction
  var time: MonotonicInstant
  var gesture: Gesture
  var button: String
}

/// The queue of requested pictures, which numbers their presses in order.
///
/// While one press waits for its number because the disk hangs, the next ones wait in this queue.
/// Nothing else waits for them.
private final class ShotLine: Sendable {
  private struct State {
    var isServed = false
    var waiting: [Shot] = []
  }

  private let state = Mutex(State())

  /// Appends a picture; returns `true` when the caller has to serve the queue.
  func enter(_ shot: Shot) -> Bool {
    state.withLock { state in
      state.waiting.append(shot)
      defer { state.isServed = true }
      return !state.isServed
    }
  }

  /// Returns the next picture; `nil` when the queue is empty and no longer served.
  func next() -> Shot? {
    state.withLock { state in
      guard !state.waiting.isEmpty else {
        state.isServed = false
        return nil
      }
      return state.waiting.removeFirst()
    }
  }
}

/// The slow actions in progress, so that none runs twice at once.
private final class RunningActions: Sendable {
  private let actions = Mutex<Set<ButtonAction>>([])

  /// Returns whether the action may begin, because it is not in progress.
  func begin(_ action: ButtonAction) -> Bool { actions.withLock { $0.insert(action).inserted } }

  func end(_ action: ButtonAction) { actions.withLock { _ = $0.remove(action) } }
}
