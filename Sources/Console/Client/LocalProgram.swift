import Foundation

/// A program of the system with fixed arguments, run to its end, or as long as it may take.
///
/// No shell is between, the environment is ours, and there is no input.
public struct LocalProgram: Sendable {
  /// What a run came to.
  public struct Outcome: Sendable, Hashable {
    /// The exit status; 128 and more when a signal ended it, also ours when it took too long.
    public let status: Int32
    /// What it printed, up to the limit.
    public let output: [UInt8]
    /// What it complained of, up to 4096 bytes.
    public let complaint: String
    /// Whether it was ended because it took too long, or printed too much.
    public let isCutOff: Bool
  }

  /// Why a program cannot be run.
  public struct Failure: Error, Sendable, Hashable, CustomStringConvertible {
    /// One sentence, the program quoted, the cause last.
    public let description: String
  }

  private let path: String
  private let arguments: [String]
  private let patience: Duration
  private let maximumBytes: Int

  /// Makes a run; nothing is started yet.
  ///
  /// - Parameters:
  ///   - path: the program's absolute path.
  ///   - arguments: never anything that was typed.
  ///   - patience: how long it may take before it is killed.
  ///   - maximumBytes: how much it may print before it is killed.
  public init(
    _ path: String, _ arguments: [String], patience: Duration = .seconds(20),
    maximumBytes: Int = 8 << 20
  ) {
    self.path = path
    self.arguments = arguments
    self.patience = patience
    self.maximumBytes = maximumBytes
  }

  /// Runs it, until it has ended or as long as it may take.
  ///
  /// Also when the task is cancelled it is killed, and the outcome is cut off.
  ///
  /// - Throws: ``Failure`` when it is not there or cannot be started.
  public func run() async throws(Failure) -> Outcome {
    let outcome: BoundedProgram.Outcome
    do throws(BoundedProgram.Failure) {
      outcome = try await BoundedProgram(
        path: path, arguments: arguments,
        environment: ["LC_ALL": "C.UTF-8", "PATH": "/usr/sbin:/usr/bin:/sbin:/bin"],
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
