package import Devices
import Dispatch
import Foundation
import Synchronization

/// The input of a terminal, a pipe or a file, which a separate thread reads continuously.
///
/// Reading never waits for the consumer, so that a terminal without flow control loses no bytes at
/// any rate. After a mebibyte of unread bytes the thread waits. A terminal with flow control then
/// stops its sender.
package final class TerminalInput: Sendable {
  static let capacity = 1 << 20

  private struct State {
    var pending = PendingInput()
    var isAwaited = false
    var isFull = false
    var onInterrupt: (@Sendable () -> Void)?
    var diversion: (@Sendable ([UInt8]) -> Void)?
    var lastInput: MonotonicInstant
  }

  private let state: Mutex<State>
  private let arrival = DispatchSemaphore(value: 0)
  private let room = DispatchSemaphore(value: 0)
  private let clock: any MonotonicClock

  package init(clock: any MonotonicClock = SystemMonotonicClock()) {
    self.clock = clock
    state = Mutex(State(lastInput: clock.now))
  }

  /// The time of the last byte.
  package var lastInput: MonotonicInstant { state.withLock { $0.lastInput } }

  /// Whether unread bytes wait.
  package var isWaiting: Bool { state.withLock { $0.pending.count > 0 } }

  /// Reads a descriptor to its end on a separate thread; the caller keeps the ownership.
  package func read(_ descriptor: Int32) {
    let end = isatty(descriptor) == 1 ? InputEnd.hangUp : .endOfInput
    let thread = Thread { [self] in
      var buffer = [UInt8](repeating: 0, count: 4096)
      while true {
        // A terminal whose other side has gone fails with EIO.
        guard let count = try? SystemCalls.read(descriptor, into: &buffer), count > 0 else {
          return finish(end)
        }
        guard receive(buffer[..<count]) else { return }
      }
    }
    thread.name = "terminal-input"
    thread.start()
  }

  /// Takes new bytes; waits while a mebibyte is unread.
  ///
  /// - Returns: `false` when no more bytes are wanted.
  @discardableResult
  package func receive(_ bytes: some Sequence<UInt8>) -> Bool {
    let diversion = state.withLock { state in
      state.lastInput = clock.now
      return state.diversion
    }
    if let diversion {
      diversion(Array(bytes))
      return true
    }
    let (action, isFull, hasEnded) = state.withLock { state in
      state.lastInput = clock.now
      let interrupts = state.pending.add(bytes)
      state.isFull = state.pending.count > Self.capacity
      wake(&state)
      return (interrupts ? state.onInterrupt : nil, state.isFull, state.pending.hasEnded)
    }
    action?()
    if isFull { room.wait() }
    return !hasEnded
  }

  /// Ends the input; a hang-up or an idle end also ends a running command.
  package func finish(_ end: InputEnd) {
    let action = state.withLock { state in
      state.pending.finish(end)
      wake(&state)
      return end == .endOfInput ? nil : state.onInterrupt
    }
    action?()
  }

  /// Shows lines above the prompt, if there is one.
  package func notify(_ lines: [String]) { mark(.notice(lines)) }

  /// Reports a new size of the terminal.
  package func resize() { mark(.resize) }

  /// Acts like Ctrl-C: ends the running command, or else drops the current line.
  package func interrupt() {
    let action = state.withLock { state in
      if let action = state.onInterrupt { return Optional(action) }
      state.pending.add(.interrupt)
      wake(&state)
      return nil
    }
    action?()
  }

  /// Diverts all further bytes to a function; `nil` ends the diversion.
  func divert(to receive: (@Sendable ([UInt8]) -> Void)?) {
    state.withLock { $0.diversion = receive }
  }

  /// Notes the start of a command, which receives Ctrl-C from now on.
  ///
  /// - Parameters:
  ///   - ending: the other input that ends the command.
  ///   - onInterrupt: a function that ends the command; called on any thread, perhaps at once and
  ///     more than once.
  func begin(
    endsOn ending: CommandManner.Ending, onInterrupt: @escaping @Sendable () -> Void
  ) {
    let interrupts = state.withLock { state in
      state.onInterrupt = onInterrupt
      return state.pending.begin(endsOn: ending)
    }
    if interrupts { onInterrupt() }
  }

  /// Notes the end of the command.
  func finishCommand() {
    state.withLock { state in
      state.onInterrupt = nil
      state.pending.finishCommand()
    }
  }

  /// Waits for the next item; blocks the calling thread.
  func next() -> PendingInput.Item {
    while true {
      let (item, makesRoom) = state.withLock { state in
        let item = state.pending.take()
        state.isAwaited = item == nil
        let makesRoom = state.isFull && state.pending.count <= Self.capacity / 2
        if makesRoom { state.isFull = false }
        return (item, makesRoom)
      }
      if makesRoom { room.signal() }
      if let item { return item }
      arrival.wait()
    }
  }

  /// Ends a wait for a key.
  ///
  /// - Returns: whether an interruption was added; after the end of the input none is needed.
  @discardableResult
  func cancelKey() -> Bool {
    state.withLock { state in
      guard !state.pending.hasEnded else { return false }
      state.pending.add(.interrupt)
      wake(&state)
      return true
    }
  }

  /// Puts back the last byte taken.
  func putBack(_ byte: UInt8) {
    state.withLock { $0.pending.putBack(byte) }
  }

  /// Sets the waiting bytes aside, because they do not answer the question asked from now on.
  func setAside() { state.withLock { $0.pending.setAside() } }

  /// Puts the set-aside bytes back before the newer ones.
  func bringBack() {
    state.withLock { state in
      state.pending.bringBack()
      wake(&state)
    }
  }

  private func mark(_ item: PendingInput.Item) {
    state.withLock { state in
      state.pending.add(item)
      wake(&state)
    }
  }

  private func wake(_ state: inout State) {
    guard state.isAwaited else { return }
    state.isAwaited = false
    arrival.signal()
  }
}
