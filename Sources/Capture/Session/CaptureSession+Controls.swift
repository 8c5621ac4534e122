package import Devices
import Logging

/// Controls of the camera that are set once, on request.
extension CaptureSession {
  /// Switches to the next camera of the rig, in the order of the roles' names.
  ///
  /// - Throws: ``ConfigurationFailure``, also when the rig has only one camera.
  @discardableResult
  package func switchCamera() async throws(ConfigurationFailure) -> ResolvedSessionSettings {
    let roles = configuration.cameras.keys.sorted { $0.rawValue < $1.rawValue }
    guard roles.count > 1 else {
      throw ConfigurationFailure(
        .refused,
        DeviceError(
          .absent, device: settings.camera.rawValue, problem: "cannot be switched",
          cause: "the rig has no other camera"))
    }
    let index = roles.firstIndex(of: lifecycle.activeRole) ?? 0
    return try await configure(camera: roles[(index + 1) % roles.count])
  }

  /// Focuses once and keeps the lens position.
  ///
  /// The position stays until the camera is calibrated or its focus is configured otherwise. The
  /// focus run waits for earlier changes of the configuration. Presses are refused as
  /// ``RefusalReason/reconfiguring`` while the lens moves.
  ///
  /// - Parameter point: the place to focus on; `nil` leaves the place to the camera.
  /// - Throws: `DeviceError`: `absent` while no camera streams, `unsupported` when the camera has
  ///   no lens to move or cannot focus on a place, `timedOut` when it did not focus in time.
  package func focus(at point: FocusPoint? = nil) async throws(DeviceError) {
    await enterConfiguration()
    defer { configurationGate.leave() }
    let camera = try streamingCamera("focus")
    let before = await controls(for: settings, of: camera).controls
    readinessCoordinator.update { $0.setReconfiguring(true) }
    defer { readinessCoordinator.update { $0.setReconfiguring(false) } }
    await untilFramesAreChosen()
    var controls = before
    controls.focusMode = .autoFocus
    if let point { controls.focusMode = .autoFocusAtPoint(point) }
    do throws(DeviceError) {
      let position = try await withLight { () async throws(DeviceError) in
        let begin = clock.now
        let frameCount = status.frameCount
        try await set(controls, on: camera)
        return try await lensPosition(of: camera, since: begin, frameCount: frameCount)
      }
      controls.focusMode = .locked(lensPosition: position)
      try await set(controls, on: camera)
      focusedLenses[camera.identity.id] = position
      status.controls?.controls = controls
    } catch {
      await restore(before, on: camera)
      throw error
    }
  }

  /// Waits until a scan has found the focus.
  ///
  /// Requests that were under way still report the earlier focus. Their report counts only once a
  /// scan has been seen, or more frames have come than can be under way.
  private func lensPosition(
    of camera: any Camera, since begin: MonotonicInstant, frameCount: UInt64
  ) async throws(DeviceError) -> Double? {
    let timeout = max(.seconds(5), longestFrame * 60)
    let deadline = begin.advanced(by: timeout)
    let stream = status.streamStartCount
    var hasScanned = false
    func failure(_ cause: String, _ code: DeviceError.Code = .timedOut) -> DeviceError {
      DeviceError(code, device: camera.identity.id, problem: "could not focus", cause: cause)
    }
    while clock.now < deadline {
      guard status.stream != nil, status.streamStartCount == stream else {
        throw failure("it has stopped streaming", .disconnected)
      }
      let frame = stallDetector.lastFrame.flatMap { $0.timestamp >= begin ? $0 : nil }
      if frame?.focusState == .scanning { hasScanned = true }
      let counts =
        hasScanned || status.frameCount - frameCount > PendingDuration.framesUnderWay
      switch frame?.focusState {
      case .focused? where counts: return frame?.lensPosition
      case .failed? where counts: throw failure("it found nothing sharp")
      default: break
      }
      await changeTimer.sleep(until: deadline)
      if Task.isCancelled { throw failure("it was called off") }
    }
    throw failure("it was not done after \(Int(timeout.inMilliseconds / 1000)) seconds")
  }

  /// The capabilities of the camera in use; `nil` when it does not stream.
  package var capabilities: CameraCapabilities? {
    get async {
      guard let camera, status.stream != nil else { return nil }
      return await watched { await camera.capabilities }
    }
  }

  /// The lens positions of the camera in use in diopters; `nil` when fixed or not streaming.
  package var lensPositions: ClosedRange<Double>? {
    get async {
      guard let capabilities = await self.capabilities else { return nil }
      return capabilities.focusModes.contains(.locked) ? capabilities.lensPositions : nil
    }
  }

  // MARK: Applying controls

  /// Returns the settings as resolved for a camera.
  func controls(
    for settings: SessionSettings, of camera: any Camera
  ) async -> ResolvedCameraControls {
    let capabilities = await watched { await camera.capabilities }
    return ResolvedCameraControls(
      settings, calibration: calibrations[camera.identity.id],
      lensPosition: focusedLenses[camera.identity.id], capabilities: capabilities,
      isStandby: isStandby(camera))
  }

  /// Returns whether a camera has taken over for the wanted one.
  private func isStandby(_ camera: any Camera) -> Bool {
    lifecycle.activeRole != settings.camera && camera.identity.id == self.camera?.identity.id
  }

  /// Refuses settings with controls that a camera lacks, by name.
  ///
  /// A standby took over automatically, so only changed controls are required of it.
  func requireControls(
    of wanted: SessionSettings, on camera: any Camera
  ) async throws(DeviceError) {
    let controls =
      isStandby(camera) ? wanted.controls.changes(from: settings.controls) : wanted.controls
    try await watched { await camera.capabilities }.require(controls, device: camera.identity.id)
  }

  /// Sets the controls of other settings on the running stream.
  func changeControls(
    to wanted: SessionSettings, of camera: any Camera, releasesFocus: Bool
  ) async throws(ConfigurationFailure) {
    guard
      wanted.controls != settings.controls || wanted.prioritization != settings.prioritization
        || releasesFocus && !focusedLenses.isEmpty
    else { return }
    let focused = focusedLenses
    if releasesFocus { focusedLenses = [:] }
    do throws(DeviceError) {
      try await requireControls(of: wanted, on: camera)
      let controls = await controls(for: wanted, of: camera)
      try await set(controls.controls, on: camera)
      status.controls = controls
      events.send(.session(status))
    } catch {
      focusedLenses = focused
      throw ConfigurationFailure(.refused, error)
    }
  }

  /// Starts a stream with all controls, so that its first frame is right already.
  ///
  /// A calibration that the camera refuses is dropped; a calibration of another mode can be
  /// refused.
  func startCalibrated(
    _ camera: any Camera, _ settings: SessionSettings
  ) async throws(DeviceError) -> (CameraStream, ResolvedCameraControls) {
    let resolved = await controls(for: settings, of: camera)
    func start(_ controls: CameraControls) async throws(DeviceError) -> CameraStream {
      let wanted = configuration.stream(
        for: settings, of: camera.identity, controls: controls)
      stallDetector.exposures = PendingDuration(wanted.controls.longestExposure)
      return try await watched { () async throws(DeviceError) in try await camera.start(wanted) }
    }
    let refusal: DeviceError
    do throws(DeviceError) {
      return (try await start(resolved.controls), resolved)
    } catch {
      guard error.code == .unsupported, resolved.isCalibrated else { throw error }
      refusal = error
    }
    logger.warning(
      "camera refuses its calibration, starting without it", metadata: ["error": "\(refusal)"])
    let capabilities = await watched { await camera.capabilities }
    var plain = ResolvedCameraControls(
      settings, calibration: nil, lensPosition: focusedLenses[camera.identity.id],
      capabilities: capabilities, isStandby: isStandby(camera))
    plain.notes.append("the calibration is not used: \(refusal.cause ?? refusal.description)")
    return (try await start(plain.controls), plain)
  }

  func streamingCamera(_ verb: String) throws(DeviceError) -> any Camera {
    guard let camera, status.stream != nil else {
      throw DeviceError(
        .absent, device: "\(lifecycle.activeRole)", problem: "cannot \(verb)",
        cause: "no camera streams")
    }
    return camera
  }

  func set(
    _ controls: CameraControls, on camera: any Camera
  ) async throws(DeviceError) {
    stallDetector.exposures.set(controls.longestExposure)
    try await watched { () async throws(DeviceError) in try await camera.setControls(controls) }
  }

  /// Goes back to other controls after a failure.
  func restore(_ controls: CameraControls, on camera: any Camera) async {
    do throws(DeviceError) {
      try await set(controls, on: camera)
    } catch {
      logger.warning("controls of the camera stay changed", metadata: ["error": "\(error)"])
    }
  }
}
