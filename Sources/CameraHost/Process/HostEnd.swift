package import Devices
import Glibc

/// The end of a camera process.
package struct HostEnd: Sendable, Hashable, CustomStringConvertible {
  /// The cause of a camera process's end.
  package enum Cause: Sendable, Hashable {
    /// The process was asked to end, without a fault.
    case requested
    /// The process was killed for a restart (``HostedCameraSystem/restart()``).
    case restarted
    /// The process was killed because its library needs a new process, as this error reports.
    case used(DeviceError)
    /// The process was killed because a call did not return in time.
    case hung(call: String, after: Duration)
    /// The process was killed because it sent an invalid message.
    case malformed(String)
    /// The process ended by itself with a status.
    case exited(status: Int32)
    /// A signal that this process did not send ended the process.
    case signal(Int32)
    /// The process could not be started, for the system's reason.
    case notStarted(String)
  }

  /// The cause of the end.
  package var cause: Cause
  /// The process's number; 0 when it never started.
  package var processID: Int32
  /// The time at which the end was noticed.
  package var time: MonotonicInstant

  /// Whether the process ended in an orderly way, on request.
  package var isInOrder: Bool { cause == .requested }

  /// The end as a clause, for example `the camera process 4711 was ended by SIGABRT`.
  package var description: String {
    let process = "the camera process \(processID)"
    return switch cause {
    case .requested: "\(process) ended on request"
    case .restarted: "\(process) was replaced on request"
    case .used(let error): "\(process) was replaced: \(error.cause ?? error.problem)"
    case .hung(let call, let time):
      "\(process) was killed, it did not return from \"\(call)\" within \(HostEnd.inWords(time))"
    case .malformed(let problem): "\(process) was killed, it sent what is no message: \(problem)"
    case .exited(let status): "\(process) ended by itself with status \(status)"
    case .signal(let number): "\(process) was ended by \(HostEnd.name(ofSignal: number))"
    case .notStarted(let problem): "the camera process could not be started: \(problem)"
    }
  }

  /// Formats a time for people, to a tenth of a second: `15 s`, `1.5 s`, `800 ms`.
  package static func inWords(_ duration: Duration) -> String {
    let milliseconds = duration.inMilliseconds
    guard milliseconds >= 1000 else { return "\(Int(milliseconds)) ms" }
    let tenths = Int((milliseconds / 100).rounded())
    return tenths % 10 == 0 ? "\(tenths / 10) s" : "\(tenths / 10).\(tenths % 10) s"
  }

  /// Returns a signal's name, for example `SIGABRT`; `signal 42` for a signal without a name.
  package static func name(ofSignal number: Int32) -> String {
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
