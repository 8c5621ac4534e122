import Devices

/// The life of one camera process, and the calls that it has not answered.
///
/// A process starts, is ready, is ending (this side has decided so, or it has let go of its socket)
/// and has ended. What is decided first stays the cause: a process that is killed because it hangs
/// ends by `SIGKILL`, but that is not why.
struct HostLedger: Sendable {
  /// Where the process is in its life.
  enum Phase: Sendable, Hashable {
    /// It has been started and has not said anything.
    case starting
    /// It answers calls.
    case ready
    /// It is to end for this cause.
    case ending(HostEnd.Cause)
    /// It is no more.
    case ended(HostEnd)
  }

  /// A call that has not been answered.
  struct Call: Sendable, Hashable {
    /// The call's name, for example `stop`.
    var name: String
    /// The camera, or `cameras` for a call of the system.
    var device: String
    /// When it began.
    var beginning: MonotonicInstant
  }

  /// Where the process is in its life.
  private(set) var phase = Phase.starting
  /// The process's number; 0 before it is known.
  var processID: Int32 = 0
  private var calls: [UInt64: Call] = [:]
  private var nextID: UInt64 = 1

  /// The calls that have not been answered.
  var pendingCount: Int { calls.count }

  /// Whether calls can be made.
  var isUsable: Bool { phase == .ready }

  /// Notes that the process is ready; `false` when it said so at the wrong time.
  mutating func becomeReady() -> Bool {
    guard phase == .starting else { return false }
    phase = .ready
    return true
  }

  /// Notes a call.
  ///
  /// - Returns: its number, or `nil` when the process takes no more calls.
  mutating func begin(_ name: String, of device: String, at now: MonotonicInstant) -> UInt64? {
    guard isUsable else { return nil }
    let id = nextID
    nextID += 1
    calls[id] = Call(name: name, device: device, beginning: now)
    return id
  }

  /// Notes an answer.
  ///
  /// - Returns: the call, or `nil` when there is none with this number.
  mutating func answer(_ id: UInt64) -> Call? {
    calls.removeValue(forKey: id)
  }

  /// Notes that a call's time is over.
  ///
  /// - Returns: whether the process has to be killed; not when it has answered in time or is ending
  ///   for another reason.
  mutating func expire(_ id: UInt64, at now: MonotonicInstant) -> Bool {
    guard let call = calls[id] else { return false }
    return end(.hung(call: call.name, after: call.beginning.duration(to: now)))
  }

  /// Decides that the process is to end; the first cause stays.
  ///
  /// - Returns: whether this is the first.
  mutating func end(_ cause: HostEnd.Cause) -> Bool {
    switch phase {
    case .starting, .ready:
      phase = .ending(cause)
      return true
    case .ending, .ended: return false
    }
  }

  /// Notes the end of the process as the kernel tells it.
  mutating func ended(_ status: ChildProcess.Status, at now: MonotonicInstant) -> HostEnd {
    let cause: HostEnd.Cause
    switch phase {
    case .ended(let end): return end
    case .ending(let decided): cause = decided
    case .starting, .ready:
      switch status {
      case .exited(let status): cause = .exited(status: status)
      case .signal(let number): cause = .signal(number)
      }
    }
    let end = HostEnd(cause: cause, processID: processID, time: now)
    phase = .ended(end)
    return end
  }

  /// Why the process takes no calls; `nil` while it does.
  var cause: HostEnd.Cause? {
    switch phase {
    case .starting, .ready: nil
    case .ending(let cause): cause
    case .ended(let end): end.cause
    }
  }

  /// Takes all calls away, to be failed.
  mutating func takeAll() -> [UInt64: Call] {
    defer { calls = [:] }
    return calls
  }
}

extension HostEnd {
  /// The error of a call that the process did not answer.
  func error(of call: HostLedger.Call) -> DeviceError {
    switch cause {
    case .hung(call.name, let time):
      DeviceError(
        .timedOut, device: call.device,
        problem: "did not \(call.name) within \(HostEnd.inWords(time))",
        cause: "the camera process \(processID) was killed")
    default:
      DeviceError(
        code, device: call.device, problem: "cannot \(call.name)", cause: description)
    }
  }

  /// The error with which a running stream ends.
  func error(ofStream device: String) -> DeviceError {
    DeviceError(code, device: device, problem: "stopped by itself", cause: description)
  }

  private var code: DeviceError.Code {
    switch cause {
    case .hung: .timedOut
    case .used(let error): error.codeOfUse
    case .requested, .startedAnew: .disconnected
    case .malformed, .exited, .signal, .notStarted: .inputOutput
    }
  }
}

extension DeviceError {
  /// What is told of a library that was used up, when its process has been replaced for it.
  ///
  /// A library of which nothing more is known hangs: that is the camera's fault, for which the
  /// recovery grows rougher, and not somebody's who has unplugged it.
  var codeOfUse: Code { code == .needsNewProcess ? underlyingCode ?? .timedOut : code }
}
