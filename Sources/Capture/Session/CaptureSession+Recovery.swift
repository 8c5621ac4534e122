package import Devices
import Logging

/// Interruptions of the session, and the recovery from those of the camera.
extension CaptureSession {
  /// The number of the camera's own faults after which unproven settings count as the cause.
  private static let faultsUntilOldSettings = 2

  /// Begins an interruption: presses are refused with its reason until it ends.
  ///
  /// - Parameters:
  ///   - reason: the reason.
  ///   - cause: the message of the part that failed, for people.
  package func beginInterruption(_ reason: InterruptionReason, cause: String? = nil) {
    let now = clock.now
    guard let began = readinessCoordinator.update({ $0.begin(reason, cause: cause, at: now) })
    else { return }
    logger.warning(
      "capture interrupted",
      metadata: ["capture.reason": "\(reason)", "error": cause.map { "\($0)" } ?? "none"])
    events.send(.interruption(began))
    interruptionsChanged()
  }

  /// Ends an interruption; does nothing when it did not last.
  package func endInterruption(_ reason: InterruptionReason) {
    let now = clock.now
    guard let ended = readinessCoordinator.update({ $0.end(reason, at: now) }) else { return }
    let length = ended.endedAt.map { ended.beganAt.duration(to: $0) } ?? .zero
    logger.notice(
      "capture interruption ended",
      metadata: ["capture.reason": "\(reason)", "capture.interruption.length": "\(length)"])
    events.send(.interruption(ended))
    interruptionsChanged()
  }

  /// Interrupts the session because of its camera, for one reason at a time.
  ///
  /// An unplugged camera is absent afterwards; ``Devices/InterruptionReason/cameraUnplugged`` says
  /// more and stays.
  func interruptCamera(_ reason: InterruptionReason, cause: String?) {
    let lasting = readinessCoordinator.interruptions.lastingReasons(refusing: true)
    var (reason, cause) = (reason, cause)
    // Only a new process helps, whatever else happens.
    if isStuck { (reason, cause) = (.cameraStalled, "a call of the camera does not return") }
    if reason == .cameraAbsent, lasting.contains(.cameraUnplugged) { reason = .cameraUnplugged }
    if lifecycle.outageBegan == nil { lifecycle.outageBegan = clock.now }
    // The new interruption begins first, so that the session never looks ready in between.
    beginInterruption(reason, cause: cause)
    for other in InterruptionReason.ofCamera where other != reason && lasting.contains(other) {
      endInterruption(other)
    }
  }

  /// Ends all of the camera's interruptions, because frames come.
  ///
  /// A call that does not return interrupts the session until its return.
  func cameraWorks() {
    if lifecycle.ladder.frameArrived(at: clock.now) { lastResort?.cameraWorks() }
    // A shorter frame may have brought the call's deadline into the past.
    guard !isStuck else { return interruptCamera(.cameraStalled, cause: nil) }
    endCameraInterruptions()
    guard let began = lifecycle.outageBegan else { return }
    lifecycle.outageBegan = nil
    status.lastOutage = began.duration(to: clock.now)
    events.send(.session(status))
  }

  private func endCameraInterruptions() {
    let lasting = readinessCoordinator.interruptions.lastingReasons(refusing: true)
    for reason in InterruptionReason.ofCamera where lasting.contains(reason) {
      endInterruption(reason)
    }
  }

  /// Carries out the ladder's step after a failure; its pause follows as the lifecycle's next step.
  ///
  /// - Returns: the fault, when only a new process can help.
  func recover(from error: DeviceError, as reason: InterruptionReason) async -> DeviceError? {
    refuseWaitingChange()
    status.lastFault = error.description
    var step = lifecycle.failed(error, at: clock.now)
    interruptCamera(reason, cause: error.description)
    if step.rung == .restartService { step.rung = await allowedRung(after: error) }
    status.lastRecovery = step.rung
    logger.error(
      "camera lost, trying again",
      metadata: [
        "error": "\(error)", "capture.reason": "\(reason)", "recovery.rung": "\(step.rung)",
        "recovery.failures": "\(lifecycle.ladder.failureCount)", "recovery.pause": "\(step.pause)",
      ])
    events.send(.session(status))
    if step.rung == .restartService { return error }
    // A closed camera can be opened by other programs, and again by this one.
    if step.rung > .restartStream || error.isExternal { await closeCamera() }
    showNoStream()
    // The machine reboots as soon as the pictures are stored; until then the camera may come back.
    if step.rung >= .renewCameraSystem { await watched { await cameras.restart() } }
    // If the standby is itself the wanted camera, the first configured one stands by.
    let wanted = settings.camera
    let standby =
      configuration.standby == wanted ? configuration.settings.camera : configuration.standby
    if step.suggestsStandby, let standby, lifecycle.standbyTakesOver(standby, from: wanted) {
      logger.warning(
        "changing to another camera", metadata: ["camera.role": "\(lifecycle.activeRole)"])
    }
    return nil
  }

  /// Goes back to the settings that ran last when a stream with unproven ones keeps failing.
  ///
  /// The faults must be the camera's own, and no frame may have come with these settings.
  func doubtSettings(after error: DeviceError) {
    guard !error.isExternal else { return }
    unprovenFaultCount += 1
    guard unprovenFaultCount >= Self.faultsUntilOldSettings else { return }
    goBackToProven(from: settings, after: error)
  }

  /// Returns the rung that is allowed when the service should end for the camera.
  private func allowedRung(after error: DeviceError) async -> RecoveryLadder.Rung {
    guard let lastResort else { return .restartService }
    switch await lastResort.decide(after: error) {
    case .restartService: return .restartService
    case .restartMachine: return .restartMachine
    case .wait(let why):
      logger.error(
        "the service goes on without the camera", metadata: ["recovery.limit": "\(why)"])
      return lifecycle.ladder.roughestWithoutEnding
    }
  }

  // MARK: The technician

  /// Stops the camera until ``resume()``, so that another program can use it.
  package func stop() {
    lifecycle.isStopWanted = true
    beginInterruption(.stoppedByTechnician)
    refuseWaitingChange()
    streamTimer.wake()
  }

  /// Starts the camera again after ``stop()``.
  package func resume() {
    lifecycle.isStopWanted = false
    endInterruption(.stoppedByTechnician)
    streamTimer.wake()
  }

  /// Ends the interruptions of a camera that is not wanted, as its state is unknown.
  func forgetOutage() {
    lifecycle.outageBegan = nil
    endCameraInterruptions()
  }
}

extension InterruptionReason {
  /// Makes the reason that matches a camera's error.
  init(_ error: DeviceError) {
    self =
      switch error.code {
      case .absent: .cameraAbsent
      case .disconnected: .cameraUnplugged
      case .busy: .cameraInUse
      case .permissionDenied: .cameraNotAuthorized
      case .libraryUnknown: .cameraLibraryUnknown
      case .timedOut: .cameraTimedOut
      case .outOfMemory: .buffersExhausted
      default: .cameraFailed
      }
  }
}
