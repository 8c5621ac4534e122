package import Devices

/// The button's line of a simulated world.
///
/// Edges come as the world has scripted them, with their scripted times, undebounced and numbered
/// from 1. Edges that a slow reader loses are counted. No call blocks, so the actor needs no
/// executor of its own.
package actor SimulatedButtonLine: ButtonLine {
  /// The line's name.
  package nonisolated let name: String
  private let world: SimulatedWorld
  private let button: String
  private var reader: Task<Void, Never>?

  /// Makes the line of a button of a world; the line's name is the button's in capitals.
  package init(world: SimulatedWorld, button: String = SimulatedWorld.shutter) {
    self.world = world
    self.button = button
    name = button.uppercased()
  }

  deinit { reader?.cancel() }

  /// Watches both edges from now on; a second call ends the first watch.
  ///
  /// - Throws: `DeviceError` for the world's ``ButtonFault``.
  package func watch() async throws(DeviceError) -> ButtonLineWatch {
    await release()
    if let fault = world.read({ $0.buttonFaults[button] }) {
      throw error(fault, problem: "cannot be taken")
    }
    let now = world.clock.now
    let (isActive, cursor) = world.read { state in
      let script = state.button(button)
      return (script.isActive(at: now), script.cursor(at: now))
    }
    let (stream, continuation) = AsyncStream.makeStream(
      of: ButtonLineEvent.self, bufferingPolicy: .bufferingNewest(1024))
    let gone = error(.absent, problem: "can no longer be read; the watch ends")
    let reader = Task { [world, button] in
      await SimulatedButtonLine.read(world, button, from: cursor, gone: gone, into: continuation)
    }
    continuation.onTermination = { _ in reader.cancel() }
    self.reader = reader
    return ButtonLineWatch(isActiveAtStart: isActive, events: stream)
  }

  /// Ends the watch.
  package func release() async {
    reader?.cancel()
    await reader?.value
    reader = nil
  }

  private static func read(
    _ world: SimulatedWorld, _ button: String, from start: Int, gone: DeviceError,
    into continuation: AsyncStream<ButtonLineEvent>.Continuation
  ) async {
    var cursor = start
    var lost = 0
    func yield(_ event: ButtonLineEvent) {
      guard case .dropped(let dropped) = continuation.yield(event) else { return }
      switch dropped {
      case .edge: lost += 1
      case .lostEdges(let count): lost += count
      case .failed: break
      }
    }
    while true {
      let version = world.changes.version
      let now = world.clock.now
      let (fault, batch, next) = world.read { state in
        let script = state.button(button)
        let (entries, cursor) = script.entries(from: cursor, upTo: now)
        let batch = (entries: entries, cursor: cursor)
        return (state.buttonFaults[button], batch, script.nextTime(from: cursor))
      }
      cursor = batch.cursor
      for entry in batch.entries {
        switch entry {
        case .edge(let edge): yield(.edge(edge))
        case .lost(let count, _): yield(.lostEdges(count: count))
        }
      }
      if lost > 0 {
        let count = lost
        lost = 0
        yield(.lostEdges(count: count))
      }
      if fault == .absent {
        continuation.yield(.failed(gone))
        break
      }
      // The cancellation is checked last, so that events before the release are still sent.
      if Task.isCancelled { break }
      await world.changes.wait(until: next, since: version, on: world.clock)
    }
    continuation.finish()
  }

  private nonisolated func error(_ fault: ButtonFault, problem: String) -> DeviceError {
    switch fault {
    case .absent: DeviceError(.absent, device: name, problem: problem, cause: "No such line")
    case .busy:
      DeviceError(.busy, device: name, problem: problem, cause: "Device or resource busy")
    case .permissionDenied:
      DeviceError(.permissionDenied, device: name, problem: problem, cause: "Permission denied")
    }
  }
}
