import Devices
import Logging

/// Interruptions of the session, and the way back from those of the camera.
extension CaptureSession {
  /// After so many faults of the camera's own, settings that have not given a frame are taken for
  /// the cause.
  private static let faultsUntilOldSettings = 2

  /// An interruption begins: presses are refused with its reason until it ends.
  ///
  /// - Parameters:
  ///   - reason: why.
  ///   - cause: what the part that failed said, for people.
  public func beginInterruption(_ reason: InterruptionReason, cause: String? = nil) {
    let began = interruptions.begin(reason, cause: cause, at: clock.now)
    readinessCoordinator.update { _ = $0.begin(reason) }
    guard let began else { return }
    logger.warning(
      "capture interrupted",
      metadata: ["capture.reason": "\(reason)", "error": cause.map { "\($0)" } ?? "none"])
    events.send(.interruption(began))
  }

  /// An interruption ends; nothing happens when it did not last.
  public func endInterruption(_ reason: InterruptionReason) {
    readinessCoordinator.update { _ = $0.end(reason) }
    guard let ended = interruptions.end(reason, at: clock.now) else { return }
    let length = ended.endedAt.map { ended.beganAt.duration(to: $0) } ?? .zero
    logger.notice(
      "capture interruption ended",
      metadata: ["capture.reason": "\(reason)", "capture.interruption.length": "\(length)"])
    events.send(.interruption(ended))
  }

  /// Interrupts the session because of its camera, for one reason at a time.
  ///
  /// A camera that has been unplugged is absent afterwards; the first says more.
  func interruptCamera(_ reason: InterruptionReason, cause: String?) {
    let lasting = interruptions.lasting.map(\.reason)
    var reason = reason
    if reason == .cameraAbsent, lasting.contains(.cameraUnplugged) { reason = .cameraUnplugged }
    if outageBegan == nil { outageBegan = clock.now }
    // The new one first: between the two nothing must look as if all were well.
    beginInterruption(reason, cause: cause)
    for other in InterruptionReason.ofCamera where other != reason && lasting.contains(other) {
      endInterruption(other)
    }
  }

  /// Frames come: whatever was wrong with the camera is over.
  func cameraWorks() {
    if ladder.frameArrived(at: clock.now) { lastResort?.cameraWorks() }
    for interruption in interruptions.lasting
    where InterruptionReason.ofCamera.contains(interruption.reason) {
      endInterruption(interruption.reason)
    }
    guard let began = outageBegan else { return }
    outageBegan = nil
    status.lastOutage = began.duration(to: clock.now)
    events.send(.session(status))
  }

  /// Does what the ladder says after a failure, and waits as long as it says.
  ///
  /// - Returns: the fault, when only a new process can help.
  func recover(from error: DeviceError, as reason: InterruptionReason) async -> DeviceError? {
    status.lastFault = error.description
    var role = activeRole
    var step = ladder.failed(error, at: clock.now)
    interruptCamera(reason, cause: error.description)
    if step.rung == .restartService { step.rung = await allowedRung(after: error) }
    status.lastRecovery = step.rung
    logger.error(
      "camera lost, trying again",
      metadata: [
        "error": "\(error)", "capture.reason": "\(reason)", "recovery.rung": "\(step.rung)",
        "recovery.failures": "\(ladder.failureCount)", "recovery.pause": "\(step.pause)",
      ])
    events.send(.session(status))
    if step.rung == .restartService { return error }
    // A closed camera can be had by others, and by us again.
    if step.rung > .restartStream || error.isExternal { await closeCamera() }
    showNoStream()
    // The machine ends as soon as the pictures are stored; until then the camera may come back.
    if step.rung >= .renewCameraSystem { await watched { await cameras.startAnew() } }
    // Another camera may have been chosen meanwhile; it is not this one's standby, and not paused for.
    if step.suggestsStandby, activeRole == role {
      await changeToStandby()
      role = activeRole
    }
    await pause(for: step.pause, whileIn: role)
    return nil
  }

  /// Goes back to the settings that ran last, when a stream with others has failed for the camera's
  /// own sake again and again and never given a frame.
  func doubtSettings(after error: DeviceError) {
    guard !error.isExternal else { return }
    unprovenFaultCount += 1
    guard unprovenFaultCount >= Self.faultsUntilOldSettings else { return }
    goBackToProven(from: settings, after: error)
  }

  /// Waits before the next attempt, but no longer than until a technician stops the session or
  /// another camera is wanted: neither has to bear how long this one is given.
  private func pause(for duration: Duration, whileIn role: CameraRole) async {
    let end = clock.now.advanced(by: duration)
    while clock.now < end, activeRole == role, !isStoppedByTechnician {
      let step = min(clock.now.duration(to: end), .milliseconds(50))
      do { try await clock.sleep(for: step) } catch { return }
    }
  }

  /// What may be done when the service should end for the camera's sake.
  private func allowedRung(after error: DeviceError) async -> RecoveryLadder.Rung {
    guard let lastResort else { return .restartService }
    switch await lastResort.decide(after: error) {
    case .restartService: return .restartService
    case .restartMachine: return .restartMachine
    case .wait(let why):
      logger.error(
        "the service goes on without the camera", metadata: ["recovery.limit": "\(why)"])
      return ladder.roughestWithoutEnding
    }
  }

  /// Uses the standby, or the wanted camera when the standby has failed.
  ///
  /// For a standby that is itself the wanted camera the one that the session began with stands by.
  private func changeToStandby() async {
    guard let standby = configuration.standby else { return }
    let other = standby == settings.camera ? configuration.settings.camera : standby
    guard other != settings.camera else { return }
    await closeCamera()
    activeRole = activeRole == settings.camera ? other : settings.camera
    ladder.standbyChanged()
    logger.warning("changing to another camera", metadata: ["camera.role": "\(activeRole)"])
  }

  // MARK: The technician

  /// Stops the camera until ``resume()``, so that another program can have it.
  public func stop() {
    isStoppedByTechnician = true
    beginInterruption(.stoppedByTechnician)
    refuseWantedChange()
    wantedChange = .stop
    announceChange?.yield()
  }

  /// Starts the camera again after ``stop()``.
  public func resume() {
    isStoppedByTechnician = false
    if case .stop = wantedChange { wantedChange = nil }
    endInterruption(.stoppedByTechnician)
  }

  /// Nobody knows what is the matter with a camera that is not wanted.
  private func forgetOutage() {
    outageBegan = nil
    for interruption in interruptions.lasting
    where InterruptionReason.ofCamera.contains(interruption.reason) {
      endInterruption(interruption.reason)
    }
  }

  /// Waits while a technician wants the camera not to be used.
  ///
  /// - Returns: whether it is wanted; otherwise the task has been cancelled.
  func waitUntilWanted() async -> Bool {
    while isStoppedByTechnician {
      refuseWantedChange()
      if camera != nil {
        await closeCamera()
        showNoStream()
      }
      forgetOutage()
      do { try await clock.sleep(for: .milliseconds(50)) } catch { return false }
    }
    return true
  }
}

extension InterruptionReason {
  /// The reason that a camera's error gives.
  init(_ error: DeviceError) {
    self =
      switch error.code {
      case .absent: .cameraAbsent
      case .disconnected: .cameraUnplugged
      case .busy: .cameraInUse
      case .permissionDenied: .cameraNotAuthorized
      case .timedOut: .cameraTimedOut
      case .outOfMemory: .buffersExhausted
      default: .cameraFailed
      }
  }
}
