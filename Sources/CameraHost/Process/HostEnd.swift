public import Devices
import Glibc

/// How a camera process ended.
public struct HostEnd: Sendable, Hashable, CustomStringConvertible {
  /// Why a camera process ended.
  public enum Cause: Sendable, Hashable {
    /// It was asked to, with nothing wrong.
    case requested
    /// It was killed because everything was to begin anew (``HostedCameraSystem/startAnew()``).
    case startedAnew
    /// It was killed because its library can only be used again by a new process; the error that
    /// said so.
    case used(DeviceError)
    /// It was killed because a call did not return in time.
    case hung(call: String, after: Duration)
    /// It was killed because it sent what is no message.
    case malformed(String)
    /// It ended by itself with a status.
    case exited(status: Int32)
    /// A signal ended it that this process did not send.
    case signal(Int32)
    /// It could not be started, with the system's reason.
    case notStarted(String)
  }

  /// Why it ended.
  public var cause: Cause
  /// The process's number; 0 when it never was.
  public var processID: Int32
  /// When its end was seen.
  public var time: MonotonicInstant

  /// Makes an end.
  public init(cause: Cause, processID: Int32, time: MonotonicInstant) {
    self.cause = cause
    self.processID = processID
    self.time = time
  }

  /// Whether it ended in order, on request.
  public var isInOrder: Bool { cause == .requested }

  /// One clause, for example `the camera process 4711 was ended by SIGABRT`.
  public var description: String {
    let process = "the camera process \(processID)"
    return switch cause {
    case .requested: "\(process) ended on request"
    case .startedAnew: "\(process) was replaced on request"
    case .used(let error): "\(process) was replaced: \(error.cause ?? error.problem)"
    case .hung(let call, let time):
      "\(process) was killed, it did not return from \"\(call)\" within \(HostEnd.inWords(time))"
    case .malformed(let problem): "\(process) was killed, it sent what is no message: \(problem)"
    case .exited(let status): "\(process) ended by itself with status \(status)"
    case .signal(let number): "\(process) was ended by \(HostEnd.name(ofSignal: number))"
    case .notStarted(let problem): "the camera process could not be started: \(problem)"
    }
  }

  /// A time as people read it: `15 s`, `1.5 s`, `800 ms`; a tenth of a second is close enough.
  static func inWords(_ duration: Duration) -> String {
    let milliseconds = duration.inMilliseconds
    guard milliseconds >= 1000 else { return "\(Int(milliseconds)) ms" }
    let tenths = Int((milliseconds / 100).rounded())
    return tenths % 10 == 0 ? "\(tenths / 10) s" : "\(tenths / 10).\(tenths % 10) s"
  }

  /// A signal's name, for example `SIGABRT`; `signal 42` for those without one.
  static func name(ofSignal number: Int32) -> String {
    let names: [Int32: String] = [
      SIGHUP: "SIGHUP", SIGINT: "SIGINT", SIGQUIT: "SIGQUIT", SIGILL: "SIGILL",
      SIGTRAP: "SIGTRAP", SIGABRT: "SIGABRT", SIGBUS: "SIGBUS", SIGFPE: "SIGFPE",
      SIGKILL: "SIGKILL", SIGUSR1: "SIGUSR1", SIGSEGV: "SIGSEGV", SIGUSR2: "SIGUSR2",
      SIGPIPE: "SIGPIPE", SIGALRM: "SIGALRM", SIGTERM: "SIGTERM", SIGXCPU: "SIGXCPU",
      SIGSYS: "SIGSYS",
    ]
    return names[number] ?? "signal \(number)"
  }
}
