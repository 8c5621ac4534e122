import Devices
import Logging

/// Changes of the session's configuration while it runs.
extension CaptureSession {
  /// Changes the settings as one atomic change.
  ///
  /// The call combines `beginConfiguration()` and `commitConfiguration()` of `AVCaptureSession`.
  /// The change is checked while the old settings still run. Then presses in flight get their
  /// frames, and the change is applied. When applying it fails, or no frame comes, the old settings
  /// are applied again. Changes from several callers are made one after the other, each on the
  /// result of the previous one. While there is no camera, the settings are kept for the next one.
  ///
  /// - Parameters:
  ///   - role: the camera to use; `nil` keeps the one in use, which may be the standby, unless
  ///     `change` names another than the settings have.
  ///   - releasesFocus: whether a focus found by ``focus()`` is dropped even when the mode stays;
  ///     with another mode it always is.
  ///   - change: changes the settings that hold at that moment.
  /// - Returns: the settings as the camera resolved them.
  /// - Throws: ``ConfigurationFailure``, which names the settings that hold now.
  @discardableResult
  package func configure(
    camera role: CameraRole? = nil, releasesFocus: Bool = false,
    _ change: @Sendable (inout SessionSettings) -> Void = { _ in }
  ) async throws(ConfigurationFailure) -> ResolvedSessionSettings {
    await enterConfiguration()
    defer { configurationGate.leave() }
    let before = settings
    defer { announceSettings(after: before) }
    var wanted = settings
    change(&wanted)
    if let role { wanted.camera = role }
    try checkRole(wanted.camera)
    if let refusal = wanted.refusal { throw ConfigurationFailure(.refused, refusal) }
    if wanted.flashMode != settings.flashMode { try checkFlash(wanted.flashMode) }
    let namesCamera = role != nil || wanted.camera != settings.camera
    let wantedRole = namesCamera ? wanted.camera : lifecycle.activeRole
    let changesCamera = wantedRole != lifecycle.activeRole
    let releasesFocus =
      releasesFocus || wanted.controls.focusMode != settings.controls.focusMode
    guard let camera, status.stream != nil,
      changesCamera || wanted.needsNewStream(after: settings)
    else {
      if let camera, status.stream != nil {
        if readinessCoordinator.isBracketing { await untilFramesAreChosen() }
        try await changeControls(to: wanted, of: camera, releasesFocus: releasesFocus)
        if stallDetector.lastFrame != nil { provenSettings = wanted }
      }
      // A camera being opened or started now has its settings compared with these afterwards.
      if wanted != settings { unprovenFaultCount = 0 }
      if self.camera == nil || status.stream == nil {
        if releasesFocus { focusedLenses = [:] }
        if changesCamera {
          lifecycle.choose(wantedRole)
          streamTimer.wake()
        }
      }
      settings = wanted
      status.isStandbyInUse =
        self.camera != nil && status.stream != nil && lifecycle.activeRole != settings.camera
      return resolvedSettings
    }
    let other: (any Camera)?
    do throws(DeviceError) {
      other = changesCamera ? try await openCamera(wantedRole) : nil
    } catch {
      throw ConfigurationFailure(.refused, error)
    }
    do throws(DeviceError) {
      let target = other ?? camera
      try await requireControls(of: wanted, on: target)
      let controls = await controls(for: wanted, of: target).controls
      let asked = configuration.stream(for: wanted, of: target.identity, controls: controls)
      _ = try await watched { () async throws(DeviceError) in try await target.resolve(asked) }
    } catch {
      if let other { await watched { await other.close() } }
      throw ConfigurationFailure(.refused, error)
    }
    readinessCoordinator.update { $0.setReconfiguring(true) }
    defer { readinessCoordinator.update { $0.setReconfiguring(false) } }
    await untilFramesAreChosen()
    let outcome = await withCheckedContinuation { continuation in
      let change = SettingsChange(
        settings: wanted, role: wantedRole, camera: other, releasesFocus: releasesFocus,
        continuation: continuation)
      if lifecycle.wait(for: change) { streamTimer.wake() } else { refuse(change) }
    }
    if case .failure(let failure) = outcome, failure.consequence == .interrupted, let other,
      self.camera?.identity.id != other.identity.id
    {
      await watched { await other.close() }
    }
    return try outcome.get()
  }

  /// Sends an event if the settings differ from the previous ones; a failed change sends none.
  func announceSettings(after before: SessionSettings) {
    if settings != before { events.send(.configuration(resolvedSettings)) }
  }

  /// The current settings as resolved.
  package var resolvedSettings: ResolvedSessionSettings {
    ResolvedSessionSettings(
      settings: settings, camera: status.camera, stream: status.stream, controls: status.controls)
  }

  /// Waits until no other change is being made; `configurationGate.leave()` has to follow.
  func enterConfiguration() async {
    if !configurationGate.take() {
      await withCheckedContinuation { configurationGate.wait($0) }
    }
  }

  private func checkRole(_ role: CameraRole) throws(ConfigurationFailure) {
    guard configuration.cameras[role] == nil else { return }
    let roles = configuration.cameras.keys.map { "\"\($0)\"" }.sorted().joined(separator: ", ")
    throw ConfigurationFailure(
      .refused,
      DeviceError(
        .misconfigured, device: role.rawValue, problem: "is no camera of this rig",
        cause: "its cameras are \(roles)"))
  }

  /// Waits until admitted presses have their frames from the stream in which they were made.
  func untilFramesAreChosen() async {
    let wait = clock.now.advanced(by: frameWait)
    // A bracket waits longer, and then for the session's controls.
    func deadline() -> MonotonicInstant {
      max(wait, outputs.photo.bracket?.deadline?.advanced(by: frameWait) ?? wait)
    }
    while readinessCoordinator.isWaitingForFrames, clock.now < deadline(), status.stream != nil,
      !Task.isCancelled
    {
      await changeTimer.sleep(until: deadline())
    }
  }

  /// Refuses the waiting change, because the stream ended before it could be made.
  func refuseWaitingChange() {
    if let change = lifecycle.takeChange() { refuse(change) }
  }

  /// Refuses a change, because the stream has ended.
  func refuse(_ change: SettingsChange) {
    let error = DeviceError(
      .absent, device: status.camera?.id ?? "\(lifecycle.activeRole)",
      problem: "stopped streaming before the change could be made", cause: status.lastFault)
    change.continuation.resume(returning: .failure(ConfigurationFailure(.interrupted, error)))
  }

  /// Applies settings in place of the running ones, or returns to the old ones.
  ///
  /// - Returns: the stream; `nil` when a technician has stopped the session before the first frame.
  ///   The old settings hold then, and no camera streams.
  /// - Throws: `DeviceError` when the camera starts with neither the new nor the old settings.
  func carryOut(_ change: SettingsChange) async throws(DeviceError) -> CameraStream? {
    streamEnded()
    guard let oldCamera = lifecycle.beginChange(to: change.role, change.camera) else {
      refuse(change)
      throw DeviceError(.absent, device: "\(lifecycle.activeRole)", problem: "is gone")
    }
    let (oldSettings, oldProven, oldLenses) = (settings, provenSettings, focusedLenses)
    let failure: DeviceError?
    do throws(DeviceError) {
      settings = change.settings
      if change.releasesFocus { focusedLenses = [:] }
      // Cameras may share memory and wires. The old one stays open for a fallback.
      if change.camera != nil { await watched { await oldCamera.stop() } }
      let newCamera = change.camera ?? oldCamera
      let started = try await start(newCamera, change.settings)
      // Only a frame proves that the settings work.
      let end = await watch(started, of: newCamera, isFirstFrameEnough: true)
      if case .fault(let error, _)? = end { throw error }
      if end == nil {
        if change.camera != nil { await watched { await oldCamera.close() } }
        lifecycle.finishChange()
        change.continuation.resume(returning: .success(resolvedSettings))
        return started
      }
      failure = nil
    } catch {
      failure = error
    }
    settings = oldSettings
    provenSettings = oldProven
    focusedLenses = oldLenses
    lifecycle.rollBack()
    streamEnded()
    if let other = change.camera {
      await watched { await other.close() }
    } else {
      await watched { await oldCamera.stop() }
    }
    guard let failure else {
      refuse(change)
      return nil
    }
    logger.warning(
      "settings could not be applied, going back to the old ones", metadata: ["error": "\(failure)"]
    )
    do throws(DeviceError) {
      let started = try await start(oldCamera, oldSettings)
      lifecycle.finishChange()
      change.continuation.resume(
        returning: .failure(ConfigurationFailure(.rolledBack, failure)))
      return started
    } catch {
      showNoStream()
      change.continuation.resume(
        returning: .failure(ConfigurationFailure(.interrupted, failure)))
      throw error
    }
  }
}
