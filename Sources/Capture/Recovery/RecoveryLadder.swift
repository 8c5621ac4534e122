package import Devices

/// Decides the next recovery step when the camera fails, from the gentlest to the roughest.
///
/// Each rung is tried a few times before the next one, with increasing pauses. A cause outside of
/// the camera ends by itself eventually: it is unplugged, another program has it, or the service
/// may not open it. For such a cause, no means rougher than reopening the camera is used. The
/// ladder restarts when frames have come for a while without a fault. A camera that gives one frame
/// and fails again does not restart it.
package struct RecoveryLadder: Sendable, Hashable {
  /// The means, the gentlest first.
  package enum Rung: Int, Sendable, Hashable, Comparable, CaseIterable {
    /// Stop the stream and start it again.
    case restartStream
    /// Close the camera and open it again.
    case reopenCamera
    /// Renew the camera manager: start a new process where the camera has one of its own.
    case renewCameraSystem
    /// End the service, so that its supervisor restarts it.
    case restartService
    /// Reboot the machine.
    ///
    /// The ladder itself ends one rung below: only a ``RestartRecord`` decides on this rung.
    case restartMachine

    /// Returns whether the first of two rungs is the gentler.
    package static func < (gentler: Rung, rougher: Rung) -> Bool {
      gentler.rawValue < rougher.rawValue
    }
  }

  /// The step to take after a failure.
  package struct Step: Sendable, Hashable {
    /// The means to use.
    package var rung: Rung
    /// The pause before the step.
    package var pause: Duration
    /// Whether the failures of a short time suggest that the standby takes over.
    package var suggestsStandby: Bool
  }

  /// The limits and pauses of the ladder.
  package struct Policy: Sendable, Hashable {
    /// The rungs that are used.
    ///
    /// The ladder ends at the roughest of them, at ``Rung/restartService`` at most. A new process
    /// is started only when that rung is among them. The wait for a cause outside of the camera
    /// does not depend on them.
    package var rungs: Set<Rung>
    /// The number of attempts for each rung, 1 or more.
    package var attemptsPerRung: Int
    /// The pauses before the attempts after a fault of the camera; the last one repeats.
    package var pauses: [Duration]
    /// The pauses while the cause lies outside of the camera; the last one repeats.
    package var externalPauses: [Duration]
    /// The time for which frames must come until earlier failures are forgotten.
    package var settlingTime: Duration
    /// The uptime before the service may be ended for the camera; `nil` forbids it.
    package var minimumUptime: Duration?
    /// The number of failures within ``standbyWindow`` that suggest the standby, 1 or more.
    package var standbyFailures: Int
    /// The time in which ``standbyFailures`` are counted.
    package var standbyWindow: Duration

    package init(
      rungs: Set<Rung> = Set(Rung.allCases), attemptsPerRung: Int = 2,
      pauses: [Duration] = [.milliseconds(200), .seconds(1), .seconds(5), .seconds(30)],
      externalPauses: [Duration] = [.milliseconds(200), .seconds(1), .seconds(2)],
      settlingTime: Duration = .seconds(10), minimumUptime: Duration? = .seconds(600),
      standbyFailures: Int = 3, standbyWindow: Duration = .seconds(60)
    ) {
      self.rungs = rungs.isEmpty ? [.reopenCamera] : rungs
      self.attemptsPerRung = max(1, attemptsPerRung)
      self.pauses = pauses.isEmpty ? [.seconds(1)] : pauses
      self.externalPauses = externalPauses.isEmpty ? [.seconds(1)] : externalPauses
      self.settlingTime = settlingTime
      self.minimumUptime = minimumUptime
      self.standbyFailures = max(1, standbyFailures)
      self.standbyWindow = standbyWindow
    }
  }

  /// The limits and pauses of the ladder.
  package let policy: Policy
  /// The number of failures since the camera last worked for ``Policy/settlingTime``.
  package private(set) var failureCount = 0
  /// The number of these failures that were the camera's own.
  private var faultCount = 0
  private var recentFailures: [MonotonicInstant] = []
  private var framesSince: MonotonicInstant?
  private var hasSettled = false
  private let startedAt: MonotonicInstant

  package init(policy: Policy = Policy(), startedAt: MonotonicInstant) {
    self.policy = policy
    self.startedAt = startedAt
  }

  /// The roughest rung that is used besides ending the service.
  package var roughestWithoutEnding: Rung {
    policy.rungs.filter { $0 < .restartService }.max() ?? .reopenCamera
  }

  /// Takes a failure and returns the step to take.
  package mutating func failed(_ error: DeviceError, at now: MonotonicInstant) -> Step {
    forgetIfSettled(at: now)
    framesSince = nil
    hasSettled = false
    failureCount += 1
    recentFailures.removeAll { $0.duration(to: now) > policy.standbyWindow }
    recentFailures.append(now)
    let suggestsStandby = recentFailures.count >= policy.standbyFailures
    if error.isExternal {
      let pause = policy.externalPauses[min(failureCount, policy.externalPauses.count) - 1]
      return Step(rung: .reopenCamera, pause: pause, suggestsStandby: suggestsStandby)
    }
    faultCount += 1
    let pause = policy.pauses[min(faultCount, policy.pauses.count) - 1]
    return Step(
      rung: rung(for: error, at: now), pause: pause, suggestsStandby: suggestsStandby)
  }

  /// Notes that a frame has come.
  ///
  /// - Returns: whether the camera has now worked for ``Policy/settlingTime``; `true` once after
  ///   the start, a failure or a change of the camera.
  @discardableResult
  package mutating func frameArrived(at now: MonotonicInstant) -> Bool {
    if framesSince == nil { framesSince = now }
    forgetIfSettled(at: now)
    guard !hasSettled, let framesSince, framesSince.duration(to: now) >= policy.settlingTime
    else { return false }
    hasSettled = true
    return true
  }

  /// Forgets earlier failures, because another camera is used from now on.
  package mutating func cameraChanged() {
    failureCount = 0
    faultCount = 0
    recentFailures = []
    framesSince = nil
    hasSettled = false
  }

  /// Restarts the count for the standby after a change between it and its camera.
  ///
  /// The rungs continue: a fault of both cameras is not caused by either.
  package mutating func standbyChanged() {
    recentFailures = []
    framesSince = nil
    hasSettled = false
  }

  private func rung(for error: DeviceError, at now: MonotonicInstant) -> Rung {
    let mayEnd = policy.rungs.contains(.restartService)
    // Only a new process helps; without the service's rung, the camera system's has to start one.
    if error.code == .needsNewProcess { return mayEnd ? .restartService : .renewCameraSystem }
    let climb = Rung.allCases.filter { $0 < .restartMachine && policy.rungs.contains($0) }
    let step = (faultCount - 1) / policy.attemptsPerRung
    let climbed = climb.isEmpty ? .reopenCamera : climb[min(step, climb.count - 1)]
    guard climbed == .restartService else { return climbed }
    // A restarted service cannot give a camera a capability that it lacks.
    guard error.code != .unsupported, let minimumUptime = policy.minimumUptime,
      startedAt.duration(to: now) >= minimumUptime
    else { return roughestWithoutEnding }
    return .restartService
  }

  private mutating func forgetIfSettled(at now: MonotonicInstant) {
    guard failureCount > 0, let framesSince,
      framesSince.duration(to: now) >= policy.settlingTime
    else { return }
    failureCount = 0
    faultCount = 0
  }
}

extension DeviceError {
  /// Whether the cause lies outside of the device and can end without an intervention.
  package var isExternal: Bool {
    [.absent, .busy, .permissionDenied, .libraryUnknown, .disconnected].contains(code)
  }
}
