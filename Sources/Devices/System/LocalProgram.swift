/// A program of this machine, run until it ends, reaches a limit or is canceled.
///
/// No shell is involved: each argument arrives unchanged. A program is killed with its children,
/// unless they have left its group. A program that waits for an unresponsive disk cannot be killed.
/// The caller does not wait for such a program: it continues with the output so far, and a thread
/// follows the program to its end. A child that has left the group may hold the output longer than
/// the program lives; the output is then read for a short time only.
package struct LocalProgram: Sendable {
  /// The outcome of a run.
  package struct Outcome: Sendable, Hashable {
    /// The reason why the run ended.
    package let end: End
    /// The exit status; 128 or more after a signal, including our own kill at a limit.
    package let status: Int32
    /// The standard output, up to the limit.
    package let output: [UInt8]
    /// The standard error, up to 4096 bytes.
    package let complaint: String

    /// Whether the program was killed because of a limit or a cancellation.
    package var isCutOff: Bool { end != .complete }
    /// The first line of the standard error.
    package var firstComplaint: String? { complaint.split(separator: "\n").first.map(String.init) }
  }

  /// The reason why a run ended.
  package enum End: Sendable, Hashable {
    /// The program ended, and its output was read.
    case complete
    /// The program exceeded the time limit.
    case late
    /// The program exceeded the output limit.
    case tooMuch
    /// The calling task was canceled.
    case canceled
  }

  /// The reason why a program cannot be run, or did not do its task.
  package struct Failure: Error, Sendable, Hashable, CustomStringConvertible {
    /// A sentence that quotes the program and ends with the cause.
    package let description: String

    package init(description: String) { self.description = description }
  }

  let path: String
  let arguments: [String]
  let environment: [String: String]?
  let input: [UInt8]
  let descriptors: [Int32: Int32]
  let maximumBytes: Int
  let clock: any MonotonicClock
  private let timeout: Duration?

  /// Creates a run without starting the program.
  ///
  /// - Parameters:
  ///   - path: the program's absolute path.
  ///   - arguments: the arguments after the path, passed unchanged.
  ///   - environment: the environment; `nil` for our own.
  ///   - input: the standard input, the place of a secret; without any, the program reads nothing.
  ///   - descriptors: our descriptors for the program's standard ones (0, 1, 2), which then are
  ///     neither fed nor read here.
  ///   - timeout: the time after which the program is killed; `nil` for no limit.
  ///   - maximumBytes: the size of output at which the program is killed.
  package init(
    _ path: String, _ arguments: [String],
    environment: [String: String]? = [
      "LC_ALL": "C.UTF-8", "PATH": "/usr/sbin:/usr/bin:/sbin:/bin",
    ],
    input: [UInt8] = [], passing descriptors: [Int32: Int32] = [:],
    timeout: Duration? = .seconds(20), maximumBytes: Int = 8 << 20,
    clock: any MonotonicClock = SystemMonotonicClock()
  ) {
    self.path = path
    self.arguments = arguments
    self.environment = environment
    self.input = input
    self.descriptors = descriptors
    self.timeout = timeout
    self.maximumBytes = maximumBytes
    self.clock = clock
  }

  /// Runs the program until it ends, a limit is reached or the task is canceled.
  ///
  /// - Parameter take: a function that takes the output as it arrives, on a thread of the run. The
  ///   outcome is then without output, which has no limit.
  /// - Throws: ``Failure`` when the program does not exist or cannot be started.
  package func run(
    taking take: (@Sendable ([UInt8]) -> Void)? = nil
  ) async throws(Failure) -> Outcome {
    let run = ProgramRun(self, taking: take)
    let timer = timeout.map { timeout in
      Task { [clock] in
        do { try await clock.sleep(for: timeout) } catch { return }
        run.cutOff(.late)
      }
    }
    defer { timer?.cancel() }
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { run.begin($0) }
    } onCancel: {
      run.cutOff(.canceled)
    }
    return try result.get()
  }
}
