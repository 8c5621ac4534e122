import Foundation

/// A system program with fixed arguments and a time limit.
///
/// No shell is involved, and the environment is ours.
package struct LocalProgram: Sendable {
  /// The outcome of a run.
  package struct Outcome: Sendable, Hashable {
    /// The exit status; 128 or more after a signal, including our own kill at a limit.
    package let status: Int32
    /// The standard output, up to the limit.
    package let output: [UInt8]
    /// The standard error, up to 4096 bytes.
    package let complaint: String
    /// Whether the program was killed because of a limit or a cancellation.
    package let isCutOff: Bool
  }

  /// The reason why a program cannot be run.
  package struct Failure: Error, Sendable, Hashable, CustomStringConvertible {
    /// A sentence that quotes the program and ends with the cause.
    package let description: String
  }

  private let path: String
  private let arguments: [String]
  private let input: [UInt8]
  private let patience: Duration
  private let maximumBytes: Int

  /// Creates a run without starting the program.
  ///
  /// - Parameters:
  ///   - path: the program's absolute path.
  ///   - arguments: the arguments, which never contain typed text.
  ///   - input: the standard input, the place of a secret; without any, the program reads nothing.
  ///   - patience: the time after which the program is killed.
  ///   - maximumBytes: the size of output at which the program is killed.
  package init(
    _ path: String, _ arguments: [String], input: [UInt8] = [],
    patience: Duration = .seconds(20), maximumBytes: Int = 8 << 20
  ) {
    self.path = path
    self.arguments = arguments
    self.input = input
    self.patience = patience
    self.maximumBytes = maximumBytes
  }

  /// Runs the program until it ends or a limit is reached.
  ///
  /// Cancellation also kills the program, and the outcome is then cut off.
  ///
  /// - Throws: ``Failure`` when the program does not exist or cannot be started.
  package func run() async throws(Failure) -> Outcome {
    let outcome: BoundedProgram.Outcome
    do throws(BoundedProgram.Failure) {
      outcome = try await BoundedProgram(
        path: path, arguments: arguments,
        environment: ["LC_ALL": "C.UTF-8", "PATH": "/usr/sbin:/usr/bin:/sbin:/bin"], input: input,
        maximumBytes: maximumBytes, maximumComplaintBytes: 4096, patience: patience
      ).run()
    } catch {
      throw Failure(
        description: error.cause.map { "\"\(path)\" cannot be started: \($0)." }
          ?? "There is no program \"\(path)\" on this machine.")
    }
    return Outcome(
      status: outcome.status, output: outcome.output,
      complaint: String(decoding: outcome.complaint, as: UTF8.self),
      isCutOff: outcome.end != .complete)
  }
}
