import Devices
import Foundation
import Synchronization

/// A program that is run for as long as it may take and somebody waits for it, and not longer.
///
/// One that waits for a disk which does not answer cannot even be killed. Nobody waits for that:
/// whoever asked goes on with what there is, and threads of their own see the rest to its end.
struct BoundedProgram: Sendable {
  /// What a run came to.
  struct Outcome: Sendable {
    let end: End
    /// The exit status; 128 and more when a signal ended it, also ours when it was cut off.
    let status: Int32
    let output: [UInt8]
    let complaint: [UInt8]
  }

  /// What a run ended with.
  enum End: Sendable, Hashable {
    /// The program's end, and all of its output.
    case complete
    /// It took too long.
    case late
    /// It printed too much.
    case tooMuch
    /// Whoever asked was cancelled.
    case cancelled
  }

  /// Why a program cannot be started.
  struct Failure: Error, Sendable, Hashable {
    /// The cause, in a few words; `nil` when the program is not there.
    let cause: String?
  }

  let path: String
  /// No shell is between: each arrives as it is.
  let arguments: [String]
  /// `nil` for our own.
  var environment: [String: String]?
  /// What it reads.
  var input: [UInt8] = []
  /// How much it may print before it is killed.
  var maximumBytes = 8 << 20
  /// How much of what it complains of is kept; `nil` lets it complain on our own standard error.
  var maximumComplaintBytes: Int?
  /// How long it may take before it is killed.
  var patience = Duration.seconds(30)
  var clock: any MonotonicClock = SystemMonotonicClock()

  /// Runs it until the first of its end, the end of the patience, and cancellation.
  ///
  /// - Throws: ``Failure`` when it cannot be started.
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

/// One run, and who waits for it.
private final class ProgramRun: Sendable {
  private typealias Answer = Result<BoundedProgram.Outcome, BoundedProgram.Failure>

  private struct State {
    var waiting: CheckedContinuation<Answer, Never>?
    var end: BoundedProgram.End?
    var failure: BoundedProgram.Failure?
    /// The process's number; 0 when there is nothing to kill, or the number may be another's.
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

  /// Starts the program, on a thread of its own: also that may have to wait for a disk.
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

  /// Kills the program and lets whoever waits go on; does nothing to one that has ended.
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
    // A program that does not want it says so by its status; the signal would end our own, and is
    // gone with this thread.
    var brokenPipe = sigset_t()
    sigemptyset(&brokenPipe)
    sigaddset(&brokenPipe, SIGPIPE)
    pthread_sigmask(SIG_BLOCK, &brokenPipe, nil)
    try? source.fileHandleForWriting.write(contentsOf: Data(program.input))
    try? source.fileHandleForWriting.close()
  }

  /// Nobody waits any more for what has only begun now.
  private func endUnwanted() {
    let number = state.withLock { $0.number }
    if number > 0 { kill(number, SIGKILL) }
  }

  private func readOutput(_ pipe: Pipe) {
    // Foundation keeps what a process was given, so that nothing closes it by itself.
    defer { try? pipe.fileHandleForReading.close() }
    while case let piece = Self.read(pipe), !piece.isEmpty {
      let (isWanted, isTooMuch) = state.withLock { state in
        guard state.end == nil else { return (false, false) }
        state.output += piece.prefix(program.maximumBytes - state.output.count)
        return (true, state.output.count >= program.maximumBytes)
      }
      if isTooMuch { cutOff(.tooMuch) }
      // The pipe is closed with this: who goes on writing is told.
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

  /// What there is, once there is something; empty at the end (`read`).
  ///
  /// Foundation's own waits for as much as was asked for.
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

  /// Notes something; the last of it makes the run complete.
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

  /// Answers whoever waits, once.
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
