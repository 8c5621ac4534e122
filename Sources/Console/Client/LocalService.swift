package import Devices
import Foundation

/// The service's own program on this machine, for tasks that need no running service.
package struct LocalService: Sendable {
  /// The path of the configuration file unless another is named.
  package static let configurationPath = "/etc/platen/platen.yaml"

  /// The output limit, far above the size of any real output.
  private static let maximumBytes = 32 << 20

  /// The program's path.
  package let program: String
  private let timeout: Duration
  private let clock: any MonotonicClock

  /// Finds the program in the folder of the running one (`/proc/self/exe`).
  ///
  /// - Parameter timeout: the time after which the program is killed.
  /// - Throws: ``Devices/LocalProgram/Failure`` when the program does not exist.
  package init(timeout: Duration = .seconds(30)) throws(LocalProgram.Failure) {
    let own = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    try self.init(
      program: URL(fileURLWithPath: own).deletingLastPathComponent()
        .appendingPathComponent("platend").path, timeout: timeout)
  }

  /// Takes a program by its path.
  ///
  /// - Parameter timeout: the time after which the program is killed.
  /// - Throws: ``Devices/LocalProgram/Failure`` when the program does not exist.
  package init(
    program: String, timeout: Duration = .seconds(30),
    clock: any MonotonicClock = SystemMonotonicClock()
  ) throws(LocalProgram.Failure) {
    guard FileManager.default.isExecutableFile(atPath: program) else {
      throw LocalProgram.Failure(
        description: "There is no program \"\(program)\" to look without the service.")
    }
    self.program = program
    self.timeout = timeout
    self.clock = clock
  }

  /// Runs the program until it ends or a limit is reached.
  ///
  /// The program's standard error goes to our own.
  ///
  /// - Parameter needsEnd: whether the output counts only after the program has ended. A program
  ///   with a thread that waits for a disk cannot end, though its output about everything else is
  ///   complete. The outcome is then cut off.
  /// - Throws: ``Devices/LocalProgram/Failure`` when the program cannot be started or reaches a
  ///   limit, or when the task is canceled. A program that waits for an unresponsive disk is left
  ///   behind.
  package func run(
    _ arguments: [String], input: [UInt8] = [], needsEnd: Bool = true
  ) async throws(LocalProgram.Failure) -> LocalProgram.Outcome {
    let outcome = try await LocalProgram(
      program, arguments, environment: nil, input: input, passing: [STDERR_FILENO: STDERR_FILENO],
      timeout: timeout, maximumBytes: Self.maximumBytes, clock: clock
    ).run()
    let problem: String
    switch outcome.end {
    case .complete: return outcome
    // The program prints its whole answer at once.
    case .late where !needsEnd && outcome.output.last == UInt8(ascii: "\n"): return outcome
    case .late:
      problem =
        "did not end within \(timeout.components.seconds) s and was killed; a disk that does not "
        + "answer can be the cause."
    case .tooMuch: problem = "printed more than \(Self.maximumBytes) bytes and was killed."
    case .canceled: problem = "was interrupted."
    }
    throw LocalProgram.Failure(description: "\"\(program)\" \(problem)")
  }
}
