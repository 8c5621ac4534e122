import Devices
import Foundation
import Synchronization

/// A program with a time limit that ends early when its caller no longer waits.
///
/// A program that waits for an unresponsive disk cannot be killed. The caller does not wait for
/// such a program: it continues with the output so far. Separate threads follow the program to its
/// end.
struct BoundedProgram: Sendable {
  /// The outcome of a run.
  struct Outcome: Sendable {
    let end: End
    /// The exit status; 128 or more after a signal, including our own kill.
    let status: Int32
    let output: [UInt8]
    let complaint: [UInt8]
  }

  /// The reason why a run ended.
  enum End: Sendable, Hashable {
    /// The program ended, and all of its output was read.
    case complete
    /// The program exceeded the time limit.
    case late
    /// The program exceeded the output limit.
    case tooMuch
    /// The calling task was cancelled.
    case cancelled
  }

  /// The reason why a program cannot be started.
  struct Failure: Error, Sendable, Hashable {
    /// The cause in a few words; `nil` if the program does not exist.
    let cause: String?
  }

  let path: String
  /// The arguments, passed unchanged because no shell is involved.
  let arguments: [String]
  /// The environment; `nil` for our own.
  var environment: [String: String]?
  /// The standard input.
  var input: [UInt8] = []
  /// The size of output at which the program is killed.
  var maximumBytes = 8 << 20
  /// The most bytes kept of the standard error; `nil` passes the standard error on to our own.
  var maximumComplaintBytes: Int?
  /// The time after which the program is killed.
  var patience = Duration.seconds(30)
  var clock: any MonotonicClock = SystemMonotonicClock()

  /// Runs the program until it ends, the timeout expires or the task is cancelled.
  ///
  /// - Throws: ``Failure`` when the program cannot be started.
  func run() async throws(Failure) -> Outcome {
    let run = ProgramRun(self)
    let timer = Task { [clock, patience] in
      do { try await clock.sleep(for: patience) } catch { return }
      run.cutOff(.late)
    }
    defer { timer.cancel() }
    let result: Result<Outcome, Failure> = await withTaskCancellationHandler {
      await withCheckedContinuation { run.begin($0) }
    } onCancel: {
      run.cutOff(.cancelled)
    }
    return try result.get()
  }
}

/// A single run and its waiting caller.
private final class ProgramRun: Sendable {
  private typealias Answer = Result<BoundedProgram.Outcome, BoundedProgram.Failure>

  private struct State {
    var waiting: CheckedContinuation<Answer, Never>?
    var end: BoundedProgram.End?
    var failure: BoundedProgram.Failure?
    /// The process ID; 0 if there is nothing to kill or the ID may have been reused.
    var number: pid_t = 0
    var status: Int32?
    var openPipes = 1
    var output: [UInt8] = []
    var complaint: [UInt8] = []
  }

  private let program: BoundedProgram
  private let process = Process()
  private let state = Mutex(State())

  init(_ program: BoundedProgram) { self.program = program }

  /// Starts the program on its own thread, because starting may block on a disk too.
  func begin(
    _ waiting: CheckedContinuation<Result<BoundedProgram.Outcome, BoundedProgram.Failure>, Never>
  ) {
    let isOver = state.withLock { state in
      state.waiting = waiting
      return state.end != nil
    }
    guard !isOver else { return answer() }
    Thread.detachNewThread { [self] in start() }
  }

  /// Kills the program and resumes the caller; does nothing after the end of the run.
  func cutOff(_ end: BoundedProgram.End) {
    let number: pid_t? = state.withLock { state in
      guard state.end == nil else { return nil }
      state.end = end
      return state.number
    }
    guard let number else { return }
    if number > 0 { kill(number, SIGKILL) }
    answer()
  }

  private func start() {
    guard FileManager.default.isExecutableFile(atPath: program.path) else { return fail(nil) }
    let (source, output, complaint) = (Pipe(), Pipe(), Pipe())
    process.executableURL = URL(fileURLWithPath: program.path)
    process.arguments = program.arguments
    if let environment = program.environment { process.environment = environment }
    if program.input.isEmpty {
      process.standardInput = FileHandle.nullDevice
    } else {
      process.standardInput = source
    }
    process.standardOutput = output
    if program.maximumComplaintBytes != nil {
      process.standardError = complaint
      state.withLock { $0.openPipes = 2 }
    }
    process.terminationHandler = { [self] process in
      process.terminationHandler = nil
      let signal: Int32 = process.terminationReason == .uncaughtSignal ? 128 : 0
      let status = process.terminationStatus + signal
      note { state in
        state.status = status
        state.number = 0
      }
    }
    do {
      try process.run()
    } catch {
      process.terminationHandler = nil
      return fail((error as NSError).localizedDescription)
    }
    for pipe in [output, complaint] { try? pipe.fileHandleForWriting.close() }
    try? source.fileHandleForReading.close()
    let number = process.processIdentifier
    let isCutOff = state.withLock { state in
      if state.status == nil { state.number = number }
      return state.end != nil
    }
    if isCutOff {
      for pipe in [output, complaint] { try? pipe.fileHandleForReading.close() }
      return endUnwanted()
    }
    Thread.detachNewThread { [self] in readOutput(output) }
    if let limit = program.maximumComplaintBytes {
      Thread.detachNewThread { [self] in readComplaint(complaint, limit) }
    }
    guard !program.input.isEmpty else { return }
    // A program that does not want its input reports that by its exit status. SIGPIPE would end our
    // own process; the blocked signal disappears with this thread.
    var brokenPipe = sigset_t()
    sigemptyset(&brokenPipe)
    sigaddset(&brokenPipe, SIGPIPE)
    pthread_sigmask(SIG_BLOCK, &brokenPipe, nil)
    try? source.fileHandleForWriting.write(contentsOf: Data(program.input))
    try? source.fileHandleForWriting.close()
  }

  /// Kills a program that started only after its caller had stopped waiting.
  private func endUnwanted() {
    let number = state.withLock { $0.number }
    if number > 0 { kill(number, SIGKILL) }
  }

  private func readOutput(_ pipe: Pipe) {
    // Foundation keeps the pipes of a process, so nothing closes this end automatically.
    defer { try? pipe.fileHandleForReading.close() }
    while true {
      Self.awaitBytes(pipe)
      // The bytes are read within the lock, so output that has left the pipe counts at a cut-off.
      let (isAtEnd, isWanted, isTooMuch) = state.withLock { state in
        guard state.end == nil else { return (false, false, false) }
        let piece = Self.read(pipe)
        state.output += piece.prefix(program.maximumBytes - state.output.count)
        return (piece.isEmpty, true, state.output.count >= program.maximumBytes)
      }
      if isAtEnd { break }
      if isTooMuch { cutOff(.tooMuch) }
      // Returning closes the pipe, which tells a program that continues to write.
      guard isWanted, !isTooMuch else { return }
    }
    note { $0.openPipes -= 1 }
  }

  private func readComplaint(_ pipe: Pipe, _ limit: Int) {
    defer { try? pipe.fileHandleForReading.close() }
    while case let piece = Self.read(pipe), !piece.isEmpty {
      state.withLock { $0.complaint += piece.prefix(max(0, limit - $0.complaint.count)) }
    }
    note { $0.openPipes -= 1 }
  }

  /// Waits until a pipe has bytes or is at its end (`poll`).
  private static func awaitBytes(_ pipe: Pipe) {
    var descriptor = pollfd(
      fd: pipe.fileHandleForReading.fileDescriptor, events: Int16(POLLIN), revents: 0)
    while poll(&descriptor, 1, -1) < 0 && errno == EINTR {}
  }

  /// Returns the available bytes as soon as there are some; empty at the end (`read`).
  ///
  /// Foundation's own method waits until the requested count is complete.
  private static func read(_ pipe: Pipe) -> [UInt8] {
    let descriptor = pipe.fileHandleForReading.fileDescriptor
    return [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, count in
      var got: Int
      repeat {
        got = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
      } while got < 0 && errno == EINTR
      count = max(0, got)
    }
  }

  /// Applies a change and completes the run after the last one.
  private func note(_ change: (inout State) -> Void) {
    let isComplete = state.withLock { state in
      change(&state)
      guard state.end == nil, state.openPipes == 0, state.status != nil else { return false }
      state.end = .complete
      return true
    }
    if isComplete { answer() }
  }

  private func fail(_ cause: String?) {
    state.withLock { state in
      state.failure = BoundedProgram.Failure(cause: cause)
      state.end = state.end ?? .complete
    }
    answer()
  }

  /// Resumes the waiting caller once.
  private func answer() {
    let (waiting, answer) = state.withLock { state in
      let waiting = state.waiting
      state.waiting = nil
      let outcome = BoundedProgram.Outcome(
        end: state.end ?? .complete, status: state.status ?? 128 + SIGKILL, output: state.output,
        complaint: state.complaint)
      return (waiting, state.failure.map { Answer.failure($0) } ?? .success(outcome))
    }
    waiting?.resume(returning: answer)
  }
}
