import Devices
import Logging

/// The camera's side of the session: opening, starting, changing and closing.
extension CaptureSession {
  /// Carries out the steps of the camera's life until the task is canceled.
  ///
  /// - Returns: the fault that only a new process can repair, or `nil` after a cancellation.
  func keepStreaming() async -> DeviceError? {
    var fatal: DeviceError?
    while !Task.isCancelled, fatal == nil {
      switch lifecycle.nextStep(at: clock.now) {
      case .close:
        await closeCamera()
        showNoStream()
      case .open(let role):
        do throws(DeviceError) {
          let opened = try await openCamera(role)
          if !lifecycle.opened(opened, as: role) { await watched { await opened.close() } }
        } catch {
          fatal = await recover(from: error, as: InterruptionReason(error))
        }
      case .start(let camera):
        // The stream of before may have been stopped and wanted again at once.
        if status.stream != nil { showNoStream() }
        let end = await stream(from: camera)
        streamEnded()
        if case .fault(let error, let reason) = end {
          // Only a stream shows whether settings work.
          doubtSettings(after: error)
          fatal = await recover(from: error, as: reason)
        }
      case .pause(let end): await streamTimer.sleep(until: end)
      case .stayStopped:
        // The return of a camera call wakes this wait, too: it may end the outage of a stuck call.
        if !isStuck { forgetOutage() }
        await streamTimer.sleep(until: nil)
      }
    }
    await closeCamera()
    refuseWaitingChange()
    showNoStream()
    return fatal
  }

  /// Shows that no camera streams; a camera that is still open is still in use.
  func showNoStream() {
    status.camera = camera?.identity
    status.cameraRole = lifecycle.current?.role
    status.preset = nil
    status.stream = nil
    status.controls = nil
    status.calibration = nil
    stateChanged()
    events.send(.session(status))
  }

  /// Finds the camera of a role and opens it.
  func openCamera(_ role: CameraRole) async throws(DeviceError) -> any Camera {
    let found = try await watched { () async throws(DeviceError) in try await cameras.cameras() }
    let choice = configuration.cameras[role] ?? .first
    let description = found.first { candidate in
      switch choice {
      case .first: true
      case .id(let id): candidate.id == id
      case .position(let position): candidate.position == position
      }
    }
    guard let description else {
      // A camera may be missing from the list because another program has it, or because its nodes
      // may not be opened: only an attempt shows whether it is there.
      if let id = choice.id ?? lifecycle.knownCameras[role] {
        do throws(DeviceError) { return try await open(id) } catch  where error.code != .absent {
          throw error
        } catch {}
      }
      let names = found.map { "\"\($0.id)\"" }.joined(separator: ", ")
      throw DeviceError(
        .absent, device: "\(choice)", problem: "was not found",
        cause: found.isEmpty ? "the system lists no camera" : "the system lists \(names)")
    }
    let opened = try await open(description.id)
    lifecycle.knownCameras[role] = description.id
    return opened
  }

  private func open(_ id: CameraDescription.ID) async throws(DeviceError) -> any Camera {
    try await watched { () async throws(DeviceError) in try await cameras.open(id) }
  }

  /// The open camera; `nil` while there is none.
  var camera: (any Camera)? { lifecycle.current?.camera }

  func closeCamera() async {
    guard let camera = lifecycle.release() else { return }
    await watched { await camera.close() }
  }

  /// Streams from the open camera, across all changes of the configuration.
  ///
  /// Returns with the stream stopped when the camera fails or the task is canceled.
  private func stream(from first: any Camera) async -> StreamEnd {
    var started: CameraStream
    do throws(DeviceError) {
      started = try await startAsSet(first)
    } catch {
      return .fault(error, InterruptionReason(error))
    }
    guard lifecycle.started() else {
      await watched { await first.stop() }
      return .cancelled
    }
    while let camera {
      let end = await watch(started, of: camera) ?? .cancelled
      guard case .change(let change) = end else {
        await watched { await camera.stop() }
        return end
      }
      do throws(DeviceError) {
        guard let changed = try await carryOut(change) else { return .stopped }
        started = changed
      } catch {
        return .fault(error, InterruptionReason(error))
      }
    }
    return .cancelled
  }

  /// Starts a stream with the settings that hold once it has started.
  ///
  /// Settings that changed while no camera streamed were only kept. Kept settings that the camera
  /// does not support are replaced by those that ran last.
  private func startAsSet(_ camera: any Camera) async throws(DeviceError) -> CameraStream {
    while true {
      let wanted = settings
      do throws(DeviceError) {
        let started = try await start(camera, wanted)
        if wanted == settings || !lifecycle.isCurrentActive { return started }
      } catch {
        guard error.code == .unsupported, goBackToProven(from: wanted, after: error) else {
          throw error
        }
      }
    }
  }

  /// Goes back to the settings that ran last, unless others were wanted meanwhile.
  ///
  /// The camera stays.
  ///
  /// - Returns: whether the settings that ran last differ from those that failed.
  @discardableResult
  func goBackToProven(from failed: SessionSettings, after error: DeviceError) -> Bool {
    var proven = provenSettings
    proven.camera = failed.camera
    guard proven != failed else { return false }
    logger.warning(
      "kept settings cannot be had, going back to the last that could",
      metadata: ["error": "\(error)"])
    if failed == settings {
      settings = proven
      unprovenFaultCount = 0
      announceSettings(after: failed)
    }
    return true
  }

  /// Starts a stream and shows it in the status.
  func start(
    _ camera: any Camera, _ settings: SessionSettings
  ) async throws(DeviceError) -> CameraStream {
    let (first, controls) = try await startCalibrated(camera, settings)
    let ringFrameCount = configuration.ringFrameCount(for: settings)
    let movie = movieSource(first.configuration, of: camera, ringFrameCount: ringFrameCount)
    var started = first
    if movie != nil { started.configuration.leasedFrameCount -= MovieOutput.leasedFrameCount }
    // The frame held for an undecided gesture has a lease, too.
    let leases = started.configuration.leasedFrameCount
    let most = max(1, min(configuration.maximumCapturesInFlight, leases - 1))
    readinessCoordinator.update { $0.limitCaptures(to: most) }
    outputs.take(
      .began(
        ringFrameCount: ringFrameCount, maximumCapturesInFlight: most, leasedFrameCount: leases,
        movie: movie),
      now: clock.now)
    if rotation.streamAngle != started.configuration.rotation {
      rotation.streamAngle = started.configuration.rotation
      events.send(.rotation(captureAngle: rotation.captureAngle))
    }
    startedFrameRate = started.configuration.frameDuration.map { 1 / ($0 / .seconds(1)) }
    stallDetector.frameDurations = PendingDuration(started.configuration.frameDuration ?? .zero)
    status.controls = controls
    status.calibration = calibrations[camera.identity.id]
    status.camera = camera.identity
    let role = lifecycle.current?.role
    status.cameraRole = role
    status.isStandbyInUse = role != self.settings.camera
    status.preset = settings.preset
    status.stream = started.configuration
    status.streamStartCount += 1
    logger.info(
      "camera streams",
      metadata: [
        "camera.id": "\(camera.identity.id)",
        "camera.role": "\(role ?? lifecycle.activeRole)",
        "stream.preset": "\(settings.preset)",
        "stream.size": "\(started.configuration.format.size)",
        "stream.pixelFormat": "\(started.configuration.format.pixelFormat)",
        "stream.adjustments": "\(started.configuration.adjustments.joined(separator: "; "))",
        "camera.controls": "\(controls.notes.joined(separator: "; "))",
      ])
    events.send(.session(status))
    stateChanged()
    if let frameRateLimit { await apply(frameRate: frameRateLimit, to: camera) }
    return started
  }
}
