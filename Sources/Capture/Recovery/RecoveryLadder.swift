public import Devices

/// Decides what to try next when the camera fails, from the gentlest means to the roughest.
///
/// Each rung is tried a few times before the next one, with longer pauses in between. A cause
/// outside of the camera (it is unplugged, somebody else has it, the service may not open it) ends
/// by itself some day, so nothing rougher than opening it again is tried for it. The ladder begins
/// anew when frames have come for a while without a fault: a camera that gives one frame and fails
/// again gets no credit for it.
public struct RecoveryLadder: Sendable, Hashable {
  /// The means, the gentlest first.
  public enum Rung: Int, Sendable, Hashable, Comparable, CaseIterable {
    /// Stop the stream and start it again.
    case restartStream
    /// Close the camera and open it again.
    case reopenCamera
    /// Begin with a new camera manager: with a new process where the camera has one of its own.
    case renewCameraSystem
    /// End the service, so that its supervisor starts it anew.
    case restartService
    /// Restart the machine. The ladder itself ends one rung below: that this rung is needed only a
    /// ``RestartRecord`` can tell.
    case restartMachine

    /// Compares two rungs; the gentler is the smaller.
    public static func < (gentler: Rung, rougher: Rung) -> Bool {
      gentler.rawValue < rougher.rawValue
    }
  }

  /// What to do after a failure.
  public struct Step: Sendable, Hashable {
    /// The means.
    public var rung: Rung
    /// How long to wait before it.
    public var pause: Duration
    /// Whether the camera has failed so often in a short time that the standby should take over.
    public var suggestsStandby: Bool
  }

  /// How patient the ladder is.
  public struct Policy: Sendable, Hashable {
    /// The rungs that are used.
    ///
    /// The ladder ends at the roughest of them, at ``Rung/restartService`` at most; a new process is
    /// begun only when that is among them. A cause outside of the camera is waited for in any case.
    public var rungs: Set<Rung>
    /// How often each rung is tried before the next, 1 or more.
    public var attemptsPerRung: Int
    /// The pauses before the attempts after a fault of the camera; the last one stays.
    public var pauses: [Duration]
    /// The pauses while the cause lies outside of the camera; the last one stays.
    public var externalPauses: [Duration]
    /// For how long frames must come until earlier failures are forgotten.
    public var settlingTime: Duration
    /// How long the service must have run before it is ended for the camera's sake; `nil` when
    /// nobody would start it anew.
    public var minimumUptime: Duration?
    /// How many failures within ``standbyWindow`` suggest the standby, 1 or more.
    public var standbyFailures: Int
    /// The time in which these failures are counted.
    public var standbyWindow: Duration

    /// Makes a policy; see the properties.
    public init(
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

  /// How patient the ladder is.
  public let policy: Policy
  /// Failures since the camera last worked for ``Policy/settlingTime``.
  public private(set) var failureCount = 0
  /// How many of them were the camera's own.
  private var faultCount = 0
  private var recentFailures: [MonotonicInstant] = []
  private var framesSince: MonotonicInstant?
  private var hasSettled = false
  private let startedAt: MonotonicInstant

  /// Makes a ladder at its foot.
  public init(policy: Policy = Policy(), startedAt: MonotonicInstant) {
    self.policy = policy
    self.startedAt = startedAt
  }

  /// The roughest rung that is used besides ending the service.
  public var roughestWithoutEnding: Rung {
    policy.rungs.filter { $0 < .restartService }.max() ?? .reopenCamera
  }

  /// Takes a failure and says what to do.
  public mutating func failed(_ error: DeviceError, at now: MonotonicInstant) -> Step {
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
  /// - Returns: whether the camera has now worked for ``Policy/settlingTime``; said once after the
  ///   start, a failure or a change of the camera.
  @discardableResult
  public mutating func frameArrived(at now: MonotonicInstant) -> Bool {
    if framesSince == nil { framesSince = now }
    forgetIfSettled(at: now)
    guard !hasSettled, let framesSince, framesSince.duration(to: now) >= policy.settlingTime
    else { return false }
    hasSettled = true
    return true
  }

  /// Forgets what was, because another camera is used from now on.
  public mutating func cameraChanged() {
    failureCount = 0
    faultCount = 0
    recentFailures = []
    framesSince = nil
    hasSettled = false
  }

  /// Begins to count for the standby anew, because it or the camera it stands for is used from now on.
  ///
  /// The rungs go on: what both cameras fail of is not theirs.
  public mutating func standbyChanged() {
    recentFailures = []
    framesSince = nil
    hasSettled = false
  }

  private func rung(for error: DeviceError, at now: MonotonicInstant) -> Rung {
    let mayEnd = policy.rungs.contains(.restartService)
    // Nothing gentler can help; without the right to do it, whoever can start it anew has to.
    if error.code == .needsNewProcess { return mayEnd ? .restartService : .renewCameraSystem }
    let climb = Rung.allCases.filter { $0 < .restartMachine && policy.rungs.contains($0) }
    let step = (faultCount - 1) / policy.attemptsPerRung
    let climbed = climb.isEmpty ? .reopenCamera : climb[min(step, climb.count - 1)]
    guard climbed == .restartService else { return climbed }
    // A new service gives a camera nothing that it does not have.
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
  /// Whether the cause lies outside of the device and can end without anybody's doing anything.
  public var isExternal: Bool {
    [.absent, .busy, .permissionDenied, .disconnected].contains(code)
  }
}
