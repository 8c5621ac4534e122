public import Devices
import Foundation

/// The service's own program on this machine, for what can be done while no service runs.
public struct LocalService: Sendable {
  /// What a run of the program came to.
  public struct Outcome: Sendable, Hashable {
    /// Its exit status; 128 and more when a signal ended it, `nil` when it has not ended.
    public let status: Int32?
    /// What it printed.
    public let output: [UInt8]
  }

  /// Why the program cannot be run.
  public struct Failure: Error, Sendable, Hashable, CustomStringConvertible {
    /// One sentence, the program quoted, the cause last.
    public let description: String
  }

  /// Far more than it ever has to say.
  private static let maximumBytes = 32 << 20

  /// The program's path.
  public let program: String
  private let patience: Duration
  private let clock: any MonotonicClock

  /// Finds the program beside the one that asks (`/proc/self/exe`).
  ///
  /// - Throws: ``Failure`` when it is not there.
  public init() throws(Failure) {
    let own = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    try self.init(
      program: URL(fileURLWithPath: own).deletingLastPathComponent()
        .appendingPathComponent("platend").path)
  }

  /// Takes a program by its path.
  ///
  /// - Parameter patience: how long it may take.
  /// - Throws: ``Failure`` when it is not there.
  public init(
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

  /// Runs the program to its end, as long as it may take; what it complains of goes to our own
  /// standard error.
  ///
  /// No shell is between: each argument arrives as it is.
  ///
  /// - Parameter needsEnd: whether what it printed counts only once it has ended. A program of which
  ///   one thread waits for a disk cannot end, though it has printed what it saw of everything else.
  /// - Throws: ``Failure`` when it cannot be started, takes longer, or the task is cancelled; a
  ///   program that waits for a disk which does not answer is left behind.
  public func run(
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
      // It prints its whole answer at once.
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
