import Devices

/// The check of the times in a process's messages, with which the service calculates.
extension HostReply {
  /// Whether no calculation with the message's durations and instants can overflow, and so trap.
  var hasPossibleTimes: Bool {
    switch self {
    case .event(_, .frame(let frame)): frame.hasPossibleTimes
    case .answer(_, .lease(let lease)): lease.info.hasPossibleTimes
    case .answer(_, .resolved(let resolved)):
      resolved.readoutDuration.isPossible && resolved.frameDuration?.isPossible ?? true
    case .answer(_, .frameDuration(let duration)): duration.isPossible
    default: true
    }
  }
}

extension FrameInfo {
  fileprivate var hasPossibleTimes: Bool {
    timestamp.isPossible && readoutDuration.isPossible && exposureDuration?.isPossible ?? true
      && frameDuration?.isPossible ?? true
  }
}

extension Duration {
  /// Whether the duration is shorter than a year; 60 frames' durations are summed up somewhere.
  fileprivate var isPossible: Bool {
    let year = Duration.seconds(365 * 86_400)
    return self < year && self > .zero - year
  }
}

extension MonotonicInstant {
  /// Whether the instant is less than 30 years from the boot.
  fileprivate var isPossible: Bool { nanoseconds.magnitude < 30 * 365 * 86_400 * 1_000_000_000 }
}
