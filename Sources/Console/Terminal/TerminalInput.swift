public import Devices
import Dispatch
import Foundation
import Synchronization

/// The input of a terminal, a pipe or a file, read at all times by a thread of its own.
///
/// Reading never waits for whoever uses the bytes, so that a terminal without flow control loses
/// none, whatever the rate. After a mebibyte that nobody has taken the thread waits; then a terminal
/// with flow control stops its sender.
public final class TerminalInput: Sendable {
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

  /// Makes an input to which nothing is connected yet.
  public init(clock: any MonotonicClock = SystemMonotonicClock()) {
    self.clock = clock
    state = Mutex(State(lastInput: clock.now))
  }

  /// When the last byte came.
  public var lastInput: MonotonicInstant { state.withLock { $0.lastInput } }

  /// Whether bytes wait that nobody has taken.
  public var isWaiting: Bool { state.withLock { $0.pending.count > 0 } }

  /// Reads a descriptor until its end, on a thread of its own; the descriptor stays the caller's.
  public func read(_ descriptor: Int32) {
    let end = isatty(descriptor) == 1 ? InputEnd.hangUp : .endOfInput
    let thread = Thread { [self] in
      var buffer = [UInt8](repeating: 0, count: 4096)
      while true {
        let count = Foundation.read(descriptor, &buffer, buffer.count)
        if count < 0, errno == EINTR { continue }
        // A terminal whose other side is gone fails with EIO.
        guard count > 0 else { return finish(end) }
        guard receive(buffer[..<count]) else { return }
      }
    }
    thread.name = "terminal-input"
    thread.start()
  }

  /// Takes what has come; waits while a mebibyte is not taken.
  ///
  /// - Returns: `false` when nobody wants any more.
  @discardableResult
  public func receive(_ bytes: some Sequence<UInt8>) -> Bool {
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

  /// Ends the input; a command that runs ends with the terminal.
  public func finish(_ end: InputEnd) {
    let action = state.withLock { state in
      state.pending.finish(end)
      wake(&state)
      return end == .endOfInput ? nil : state.onInterrupt
    }
    action?()
  }

  /// Shows lines above the prompt, if there is one.
  public func notify(_ lines: [String]) { mark(.notice(lines)) }

  /// Says that the terminal has another size.
  public func resize() { mark(.resize) }

  /// Does what Ctrl-C does: ends the running command, or else drops the line that is being typed.
  public func interrupt() {
    let action = state.withLock { state in
      if let action = state.onInterrupt { return Optional(action) }
      state.pending.add(.interrupt)
      wake(&state)
      return nil
    }
    action?()
  }

  /// Hands everything that comes from now on to somebody else, as it is; `nil` ends that.
  func divert(to receive: (@Sendable ([UInt8]) -> Void)?) {
    state.withLock { $0.diversion = receive }
  }

  /// A command runs from now on; Ctrl-C is for it.
  ///
  /// - Parameters:
  ///   - ending: what ends it, too.
  ///   - onInterrupt: ends it; called on any thread, perhaps at once and more than once.
  func begin(
    endsOn ending: CommandManner.Ending, onInterrupt: @escaping @Sendable () -> Void
  ) {
    let interrupts = state.withLock { state in
      state.onInterrupt = onInterrupt
      return state.pending.begin(endsOn: ending)
    }
    if interrupts { onInterrupt() }
  }

  /// The command has ended.
  func finishCommand() {
    state.withLock { state in
      state.onInterrupt = nil
      state.pending.finishCommand()
    }
  }

  /// Waits for what comes next; blocks the calling thread.
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
  /// - Returns: whether that is to come; the end of the input needs no help.
  @discardableResult
  func cancelKey() -> Bool {
    state.withLock { state in
      guard !state.pending.hasEnded else { return false }
      state.pending.add(.interrupt)
      wake(&state)
      return true
    }
  }

  /// Gives back a byte that was taken last.
  func putBack(_ byte: UInt8) {
    state.withLock { $0.pending.putBack(byte) }
  }

  /// Puts the bytes that wait aside: they are no answer to what is asked from now on.
  func setAside() { state.withLock { $0.pending.setAside() } }

  /// Lets the bytes that were put aside wait again, before those that came since.
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
