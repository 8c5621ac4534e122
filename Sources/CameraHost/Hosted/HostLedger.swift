import Devices

/// The life of a camera process, and its unanswered calls.
///
/// A process starts, is ready, is ending (this side has decided so, or the process has released its
/// socket) and has ended. The first decision stays the cause. A process that is killed because it
/// hangs ends by `SIGKILL`, but the signal is not the cause.
struct HostLedger: Sendable {
  /// The phase of a process's life.
  enum Phase: Sendable, Hashable {
    /// The process has been started and has not sent its greeting.
    case starting
    /// The process answers calls.
    case ready
    /// The process is ending for this cause.
    case ending(HostEnd.Cause)
    /// The process has ended.
    case ended(HostEnd)
  }

  /// An unanswered call.
  struct Call: Sendable, Hashable {
    /// The call's name, for example `stop`.
    var name: String
    /// The camera, or `cameras` for a call of the system.
    var device: String
    /// The time at which the call started.
    var beginning: MonotonicInstant
  }

  /// The phase of the process.
  private(set) var phase = Phase.starting
  /// The process's number; 0 before it is known.
  var processID: Int32 = 0
  private var calls: [UInt64: Call] = [:]
  private var nextID: UInt64 = 1

  /// The number of unanswered calls.
  var pendingCount: Int { calls.count }

  /// Whether the process takes calls.
  var isUsable: Bool { phase == .ready }

  /// Notes that the process is ready; returns `false` when it is not starting.
  mutating func becomeReady() -> Bool {
    guard phase == .starting else { return false }
    phase = .ready
    return true
  }

  /// Notes a call.
  ///
  /// - Returns: the call's number, or `nil` when the process takes no calls.
  mutating func begin(_ name: String, of device: String, at now: MonotonicInstant) -> UInt64? {
    guard isUsable else { return nil }
    let id = nextID
    nextID += 1
    calls[id] = Call(name: name, device: device, beginning: now)
    return id
  }

  /// Notes an answer.
  ///
  /// - Returns: the call, or `nil` when there is no call with this number.
  mutating func answer(_ id: UInt64) -> Call? {
    calls.removeValue(forKey: id)
  }

  /// Notes the timeout of a call.
  ///
  /// - Returns: whether the process must be killed; `false` when it has answered in time or is
  ///   already ending.
  mutating func expire(_ id: UInt64, at now: MonotonicInstant) -> Bool {
    guard let call = calls[id] else { return false }
    return end(.hung(call: call.name, after: call.beginning.duration(to: now)))
  }

  /// Decides the end of the process; the first cause stays.
  ///
  /// - Returns: whether this cause is the first.
  mutating func end(_ cause: HostEnd.Cause) -> Bool {
    switch phase {
    case .starting, .ready:
      phase = .ending(cause)
      return true
    case .ending, .ended: return false
    }
  }

  /// Notes the end of the process as the kernel reports it.
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

  /// The cause of the process's end; `nil` before the end is decided.
  var cause: HostEnd.Cause? {
    switch phase {
    case .starting, .ready: nil
    case .ending(let cause): cause
    case .ended(let end): end.cause
    }
  }

  /// Removes all calls, so that the caller can fail them.
  mutating func takeAll() -> [UInt64: Call] {
    defer { calls = [:] }
    return calls
  }
}

extension HostEnd {
  /// Makes the error of a call that the process did not answer.
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

  /// Makes the error with which a running stream ends.
  func error(ofStream device: String) -> DeviceError {
    DeviceError(code, device: device, problem: "stopped by itself", cause: description)
  }

  private var code: DeviceError.Code {
    switch cause {
    case .hung: .timedOut
    case .used(let error): error.codeOfUse
    case .requested, .restarted: .disconnected
    case .malformed, .exited, .signal, .notStarted: .inputOutput
    }
  }
}

extension DeviceError {
  /// The reported code of a library that needed a new process and got one.
  ///
  /// A library without a known cause counts as hanging. A hang is the camera's fault, for which the
  /// recovery escalates; an unplugged camera is not.
  var codeOfUse: Code { code == .needsNewProcess ? underlyingCode ?? .timedOut : code }
}
