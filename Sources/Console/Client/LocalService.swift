package import Devices
import Foundation

/// The service's own program on this machine, for tasks that need no running service.
package struct LocalService: Sendable {
  /// The outcome of a run.
  package struct Outcome: Sendable, Hashable {
    /// The exit status; 128 or more after a signal, `nil` if the program has not ended.
    package let status: Int32?
    /// The standard output.
    package let output: [UInt8]
  }

  /// The reason why the program cannot be run.
  package struct Failure: Error, Sendable, Hashable, CustomStringConvertible {
    /// A sentence that quotes the program and ends with the cause.
    package let description: String
  }

  /// The output limit, far above the size of any real output.
  private static let maximumBytes = 32 << 20

  /// The program's path.
  package let program: String
  private let patience: Duration
  private let clock: any MonotonicClock

  /// Finds the program in the folder of the running one (`/proc/self/exe`).
  ///
  /// - Parameter patience: the time after which the program is killed.
  /// - Throws: ``Failure`` when the program does not exist.
  package init(patience: Duration = .seconds(30)) throws(Failure) {
    let own = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    try self.init(
      program: URL(fileURLWithPath: own).deletingLastPathComponent()
        .appendingPathComponent("platend").path, patience: patience)
  }

  /// Takes a program by its path.
  ///
  /// - Parameter patience: the time after which the program is killed.
  /// - Throws: ``Failure`` when the program does not exist.
  package init(
    program: String, patience: Duration = .seconds(30),
    clock: any MonotonicClock = SystemMonotonicClock()
  ) throws(Failure) {
    guard FileManager.default.isExecutableFile(atPath: program) else {
      throw Failure(description: "There is no program \"\(program)\" to look without the service.")
    }
    self.program = program
    self.patience = patience
    self.clock = clock
  }

  /// Runs the program until it ends or a limit is reached.
  ///
  /// No shell is involved: each argument arrives unchanged. The program's standard error goes to
  /// our own.
  ///
  /// - Parameter needsEnd: whether the output counts only after the program has ended. A program
  ///   with a thread that waits for a disk cannot end, though its output about everything else is
  ///   complete.
  /// - Throws: ``Failure`` when the program cannot be started or reaches a limit, or when the task
  ///   is cancelled. A program that waits for an unresponsive disk is left behind.
  package func run(
    _ arguments: [String], input: [UInt8] = [], needsEnd: Bool = true
  ) async throws(Failure) -> Outcome {
    let outcome: BoundedProgram.Outcome
    do throws(BoundedProgram.Failure) {
      outcome = try await BoundedProgram(
        path: program, arguments: arguments, input: input, maximumBytes: Self.maximumBytes,
        patience: patience, clock: clock
      ).run()
    } catch {
      throw Failure(
        description: "\"\(program)\" cannot be started: \(error.cause ?? "it is gone").")
    }
    switch outcome.end {
    case .complete: return Outcome(status: outcome.status, output: outcome.output)
    case .late:
      // The program prints its whole answer at once.
      if !needsEnd, outcome.output.last == UInt8(ascii: "\n") {
        return Outcome(status: nil, output: outcome.output)
      }
      throw Failure(
        description: "\"\(program)\" did not end within \(patience.components.seconds) s and was "
          + "killed; a disk that does not answer can be the cause.")
    case .tooMuch:
      throw Failure(
        description: "\"\(program)\" printed more than \(Self.maximumBytes) bytes and was killed.")
    case .cancelled: throw Failure(description: "\"\(program)\" was interrupted.")
    }
  }
}
