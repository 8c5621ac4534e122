package import Devices
import Logging

/// Calibration and locking for a copy stand.
extension CaptureSession {
  /// The timeout for the automatics to settle; extended to 60 frames when that is longer.
  package static let calibrationLimit = Duration.seconds(10)

  /// Lets the camera in use find exposure, white balance and focus, fixes and stores them.
  ///
  /// The calibration is stored under the camera's ID. It holds at once, after each reopening and
  /// switch of the camera, and from the first frame of the next start, until
  /// ``forgetCalibration()``. Values fixed by the settings (`custom`, `locked`) take precedence and
  /// are not searched. The calibration replaces the automatics of the settings. Presses are refused
  /// as ``RefusalReason/reconfiguring`` meanwhile. The calibration waits for earlier changes of the
  /// configuration. When it fails, everything stays as it was.
  ///
  /// - Returns: the calibration as stored, with `nil` for aspects that are set by hand or cannot be
  ///   fixed on this camera.
  /// - Throws: `DeviceError`: `absent` while no camera streams; `unsupported` when the camera has
  ///   no aspect that can be found and fixed; `timedOut` with the names of the aspects that did not
  ///   settle within ``calibrationLimit``; `disconnected` when the stream ended meanwhile;
  ///   `inputOutput` when the calibration could not be stored.
  @discardableResult
  package func calibrate() async throws(DeviceError) -> CameraCalibration {
    await enterConfiguration()
    defer { configurationGate.leave() }
    let camera = try streamingCamera("be calibrated")
    let id = camera.identity.id
    let capabilities = await watched { await camera.capabilities }
    let aspects = ConvergenceDetector.lockableAspects(of: capabilities)
      .filter { !settings.controls.fixes($0) }
    guard !aspects.isEmpty else {
      throw DeviceError(
        .unsupported, device: id, problem: "cannot be calibrated",
        cause: "exposure, white balance and focus are set by hand or cannot be found and fixed")
    }
    readinessCoordinator.update { $0.setReconfiguring(true) }
    defer { readinessCoordinator.update { $0.setReconfiguring(false) } }
    await untilFramesAreChosen()
    let stream = status.streamStartCount
    let before = await controls(for: settings, of: camera).controls
    do throws(DeviceError) {
      let search = before.searching(for: aspects, with: capabilities)
      let found = try await withLight { () async throws(DeviceError) in
        try await converge(aspects, with: search, on: camera, in: stream)
      }
      let calibration = found.limited(to: capabilities).only(aspects)
      let missing = aspects.filter { !calibration.has($0) }
      guard missing.isEmpty else {
        throw DeviceError(
          .unsupported, device: id, problem: "cannot be calibrated",
          cause: "it does not say its \(missing.names)")
      }
      try await set(calibration.applied(to: search), on: camera)
      try await calibrationStorage?.store(calibration, of: id)
      await use(calibration, on: camera)
      return calibration
    } catch {
      logger.warning("camera was not calibrated", metadata: ["error": "\(error)"])
      if status.streamStartCount == stream, status.stream != nil {
        await restore(before, on: camera)
      }
      throw error
    }
  }

  /// Forgets the calibration and scales of the camera in use, in storage as well.
  ///
  /// Does nothing when there are none. The settings determine the formerly fixed aspects again at
  /// once.
  ///
  /// - Throws: `DeviceError`: `absent` while no camera streams, `inputOutput` when the storage
  ///   could not be written; calibration and scales then stay.
  package func forgetCalibration() async throws(DeviceError) {
    await enterConfiguration()
    defer { configurationGate.leave() }
    let camera = try streamingCamera("forget its calibration")
    try await calibrationStorage?.removeCalibration(of: camera.identity.id)
    scales[camera.identity.id] = nil
    await use(nil, on: camera)
  }

  /// Runs the automatics until they have settled.
  private func converge(
    _ aspects: Set<ConvergenceDetector.Aspect>, with search: CameraControls,
    on camera: any Camera, in stream: Int
  ) async throws(DeviceError) -> CameraCalibration {
    let id = camera.identity.id
    if status.streamStartCount == stream { try await set(search, on: camera) }
    let frameDuration = stallDetector.lastFrame?.frameDuration ?? .zero
    let limit = max(CaptureSession.calibrationLimit, frameDuration * 60)
    let start = clock.now
    convergence = ConvergenceDetector(aspects: aspects, start: start, limit: limit)
    defer { convergence = nil }
    while true {
      guard status.streamStartCount == stream, status.stream != nil, self.camera != nil else {
        throw DeviceError(
          .disconnected, device: id, problem: "stopped streaming while it was calibrated",
          cause: status.lastFault)
      }
      switch convergence?.advance(to: clock.now) {
      case .converged(let calibration)?: return calibration
      case .timedOut(let unsettled, let last)?:
        throw DeviceError(
          .timedOut, device: id, problem: "could not be calibrated",
          cause: last == nil
            ? "no frame came within \(limit)"
            : "\(unsettled.names) did not converge within \(limit)")
      case nil: break
      }
      await changeTimer.sleep(until: start.advanced(by: limit))
      if Task.isCancelled {
        throw DeviceError(
          .timedOut, device: id, problem: "could not be calibrated", cause: "it was called off")
      }
    }
  }

  /// Uses a stored calibration, or none, in place of the previous one.
  private func use(
    _ calibration: CameraCalibration?, on camera: any Camera
  ) async {
    let id = camera.identity.id
    calibrations[id] = calibration
    focusedLenses[id] = nil
    logger.notice(
      calibration == nil ? "calibration forgotten" : "camera calibrated",
      metadata: [
        "camera.id": "\(id)", "camera.calibration": "\(calibration?.description ?? "none")",
      ])
    guard self.camera?.identity.id == id, status.stream != nil else { return }
    let controls = await controls(for: settings, of: camera)
    // Controls that cannot be set now are set with the next start of the stream.
    await restore(controls.controls, on: camera)
    status.controls = controls
    status.calibration = calibration
    events.send(.session(status))
  }
}
