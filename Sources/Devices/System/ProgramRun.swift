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
    /// Our end of the pipe that interrupts the exchange with the program; -1 outside of it.
    var interruption: Int32 = -1

    func interrupt() {
      var byte: UInt8 = 0
      if interruption >= 0 { _ = Glibc.write(interruption, &byte, 1) }
    }
  }

  /// The most bytes kept of the standard error.
  private static let maximumComplaintBytes = 4096
  /// The time for which output is read that goes on after the program's end.
  private static let outputTime = Duration.seconds(2)

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
      state.interrupt()
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
    exchange(with: started)
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

  /// Feeds and reads the program until its descriptors are closed or the exchange is interrupted.
  ///
  /// The descriptors are closed here, which tells a program that continues to write.
  private func exchange(with started: StartedProgram) {
    var input = program.input[...]
    var interruption: [Int32] = [-1, -1]
    if pipe(&interruption) == 0 {
      for end in interruption { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    }
    state.withLock { $0.interruption = interruption[1] }
    var limit: Task<Void, Never>?
    var isInterrupted = false
    let pipes = started.ends.indices
    let (life, interrupted) = (pipes.upperBound, pipes.upperBound + 1)
    let descriptors = started.ends + [started.life, interruption[0]]
    var watched = descriptors.enumerated().map { index, descriptor in
      pollfd(fd: descriptor, events: Int16(index == 0 ? POLLOUT : POLLIN), revents: 0)
    }
    while watched[pipes].contains(where: { $0.fd >= 0 }), !isInterrupted,
      state.withLock({ $0.end == nil })
    {
      guard poll(&watched, nfds_t(watched.count), -1) > 0 else { continue }
      // A pipe holds no more than one reading takes, so nothing is lost at an interruption.
      for index in pipes where watched[index].revents != 0 {
        let end = watched[index].fd
        let goesOn = index == 0 ? Self.write(&input, to: end) : read(end, isOutput: index == 1)
        guard !goesOn else { continue }
        close(end)
        // The call skips a negative descriptor.
        watched[index].fd = -1
      }
      if watched[life].revents != 0 {
        close(watched[life].fd)
        watched[life].fd = -1
        limit = limitOutput()
      }
      isInterrupted = watched[interrupted].revents != 0
    }
    limit?.cancel()
    state.withLock { $0.interruption = -1 }
    for descriptor in watched where descriptor.fd >= 0 { close(descriptor.fd) }
    if interruption[1] >= 0 { close(interruption[1]) }
  }

  /// Interrupts the exchange when the time for output after the program's end is over.
  private func limitOutput() -> Task<Void, Never> {
    Task { [self] in
      do { try await program.clock.sleep(for: Self.outputTime) } catch { return }
      state.withLock { $0.interrupt() }
    }
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
