import API
import CameraHost
import Devices

/// The API report of a camera process's end.
extension CameraProcessReport.End {
  init(_ end: HostEnd, now: MonotonicInstant) {
    let cause: String
    var (call, signal, status) = (String?.none, Int?.none, Int?.none)
    switch end.cause {
    case .requested: cause = "requested"
    case .restarted, .used: cause = "replaced"
    case .hung(let name, _):
      cause = "hung"
      call = name
    case .malformed: cause = "malformed"
    case .exited(let number):
      cause = "exited"
      status = Int(number)
    case .signal(let number):
      cause = "signal"
      signal = Int(number)
    case .notStarted: cause = "notStarted"
    }
    self.init(
      cause: cause, detail: end.description, processID: Int(end.processID), call: call,
      signal: signal, exitStatus: status, timeNanoseconds: end.time.nanoseconds,
      ageMilliseconds: end.time.duration(to: now).inMilliseconds)
  }
}
