import Dispatch
import Glibc
import Synchronization

/// A single run of a program, and its waiting caller.
final class ProgramRun: Sendable {
  typealias Answer = Result<LocalProgram.Outcome, LocalProgram.Failure>

  private struct State {
    var waiting: CheckedContinuation<Answer, Never>?
    var end: LocalProgram.End?
    var failure: LocalProgram.Failure?
    /// The process ID; 0 if there is nothing to kill or the ID may have been reused.
    var process: pid_t = 0
    var status: Int32 = 128 + SIGKILL
    var output: [UInt8] = []
    var complaint: [UInt8] = []
  }

  /// The most bytes kept of the standard error.
  private static let maximumComplaintBytes = 4096

  private let program: LocalProgram
  private let take: (@Sendable ([UInt8]) -> Void)?
  private let state = Mutex(State())

  init(_ program: LocalProgram, taking take: (@Sendable ([UInt8]) -> Void)?) {
    self.program = program
    self.take = take
  }

  /// Starts the program on its own thread, because starting may block on a disk too.
  func begin(_ waiting: CheckedContinuation<Answer, Never>) {
    let isOver = state.withLock { state in
      state.waiting = waiting
      return state.end != nil
    }
    guard !isOver else { return answer() }
    DispatchQueue(label: "devices.program-run").async { [self] in run() }
  }

  /// Kills the program's group and resumes the caller; does nothing after the end of the run.
  func cutOff(_ end: LocalProgram.End) {
    state.withLock { state in
      guard state.end == nil else { return }
      state.end = end
      if state.process > 0 { kill(-state.process, SIGKILL) }
    }
    answer()
  }

  /// Resumes the waiting caller once.
  private func answer() {
    let (waiting, answer) = state.withLock { state in
      let waiting = state.waiting
      state.waiting = nil
      let outcome = LocalProgram.Outcome(
        end: state.end ?? .complete, status: state.status, output: state.output,
        complaint: String(decoding: state.complaint, as: UTF8.self))
      return (waiting, state.failure.map { Answer.failure($0) } ?? .success(outcome))
    }
    waiting?.resume(returning: answer)
  }

  private func fail(_ description: String) {
    state.withLock { state in
      state.failure = LocalProgram.Failure(description: description)
      state.end = state.end ?? .complete
    }
    answer()
  }

  /// Starts the program and follows it to its end.
  private func run() {
    guard access(program.path, X_OK) == 0 else {
      return fail("There is no program \"\(program.path)\" on this machine.")
    }
    // The look at the file may have taken longer than the caller waits.
    guard state.withLock({ $0.end == nil }) else { return }
    let started = StartedProgram(program)
    guard started.failure == 0 else {
      let cause = SystemError(started.failure)
      return fail("\"\(program.path)\" cannot be started: \(cause).")
    }
    state.withLock { state in
      state.process = started.process
      if state.end != nil { kill(-started.process, SIGKILL) }
    }
    exchange(started.ends)
    // The ID stays the program's own until it is released, under the lock.
    var information = siginfo_t()
    while waitid(P_PID, id_t(started.process), &information, WEXITED | WNOWAIT) < 0,
      errno == EINTR
    {}
    state.withLock { state in
      var status: Int32 = 0
      // There is no status where our own parent has us ignore `SIGCHLD`. The run then is a failure.
      if waitpid(started.process, &status, 0) == started.process {
        let signal = status & 0x7F
        state.status = signal == 0 ? status >> 8 & 0xFF : 128 + signal
      }
      state.process = 0
      state.end = state.end ?? .complete
    }
    answer()
  }

  /// Feeds and reads the program until all of its descriptors are closed or the run is cut off.
  ///
  /// The descriptors are closed here, which tells a program that continues to write.
  private func exchange(_ ends: [Int32]) {
    var input = program.input[...]
    var watched = ends.enumerated().map { index, end in
      pollfd(fd: end, events: Int16(index == 0 ? POLLOUT : POLLIN), revents: 0)
    }
    while watched.contains(where: { $0.fd >= 0 }), state.withLock({ $0.end == nil }) {
      guard poll(&watched, nfds_t(watched.count), -1) > 0 else { continue }
      for index in watched.indices where watched[index].revents != 0 {
        let end = watched[index].fd
        let goesOn = index == 0 ? Self.write(&input, to: end) : read(end, isOutput: index == 1)
        guard !goesOn else { continue }
        close(end)
        // The call skips a negative descriptor.
        watched[index].fd = -1
      }
    }
    for descriptor in watched where descriptor.fd >= 0 { close(descriptor.fd) }
  }

  /// Writes the next part of the input.
  ///
  /// - Returns: whether more is to be written. A program that does not want its input reports that
  ///   by its exit status.
  private static func write(_ input: inout ArraySlice<UInt8>, to descriptor: Int32) -> Bool {
    let written = withBrokenPipeSignalBlocked {
      input.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
    }
    guard written >= 0 else { return errno == EAGAIN }
    input = input.dropFirst(written)
    return !input.isEmpty
  }

  /// Reads what the program has written.
  ///
  /// The bytes are read within the lock, so output that has left the pipe counts at a cut-off.
  ///
  /// - Returns: whether more may follow.
  private func read(_ descriptor: Int32, isOutput: Bool) -> Bool {
    let (piece, isTooMuch) = state.withLock { state -> ([UInt8], Bool) in
      guard state.end == nil else { return ([], false) }
      let piece = [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, count in
        count = max(0, Glibc.read(descriptor, buffer.baseAddress, buffer.count))
      }
      if !isOutput {
        state.complaint += piece.prefix(Self.maximumComplaintBytes - state.complaint.count)
      } else if take == nil {
        state.output += piece.prefix(program.maximumBytes - state.output.count)
      }
      return (piece, state.output.count >= program.maximumBytes)
    }
    if isOutput, !piece.isEmpty { take?(piece) }
    if isTooMuch { cutOff(.tooMuch) }
    return !piece.isEmpty
  }
}
