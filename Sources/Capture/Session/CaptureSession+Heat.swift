package import Devices
import Logging

/// The session's constraints and warnings while the rig is hot.
extension CaptureSession {
  /// Applies constraints in place of the previous ones.
  ///
  /// Refused presses are an interruption, and between spaced presses the session is momentarily not
  /// ready; both have the reason ``Devices/InterruptionReason/thermalPressure``. A lower frame rate
  /// is set on the running stream and on every later one. The session does not limit the preview:
  /// its maker reads ``captureConstraints``.
  package func apply(_ constraints: CaptureConstraints) async {
    let frameRate = frameRateLimit ?? configuredFrameRate
    self.constraints = constraints
    outputs.movie.take(constraints, now: clock.now)
    var spacing: Duration?
    if case .spaced(let duration) = constraints.shots { spacing = duration }
    readinessCoordinator.update { [spacing] in $0.setShotSpacing(spacing, at: clock.now) }
    if constraints.shots == .refused {
      beginInterruption(.thermalPressure)
    } else {
      endInterruption(.thermalPressure)
    }
    stateChanged()
    let wanted = frameRateLimit ?? configuredFrameRate
    guard wanted != frameRate else { return }
    if let camera, status.stream != nil { await apply(frameRate: wanted, to: camera) }
  }

  private var configuredFrameRate: Double { settings.frameRate ?? startedFrameRate ?? 30 }

  /// The frames per second that the constraints leave; `nil` when they do not lower the rate.
  var frameRateLimit: Double? {
    constraints.maximumFrameRate.flatMap { $0 < configuredFrameRate ? $0 : nil }
  }

  /// The constraints that were applied last.
  package var captureConstraints: CaptureConstraints { constraints }

  func apply(frameRate: Double, to camera: any Camera) async {
    do {
      let applied = try await watched { () async throws(DeviceError) in
        try await camera.setFrameRate(frameRate)
      }
      status.stream?.frameDuration = applied
      stallDetector.frameDurations.set(applied)
      stateChanged()
      events.send(.session(status))
      logger.notice(
        "frame rate changed",
        metadata: ["stream.frameRate": "\(frameRate)", "stream.frameDuration": "\(applied)"])
    } catch {
      logger.warning("frame rate stays", metadata: ["error": "\(error)"])
    }
  }

  // MARK: Warnings

  /// Begins a fault that refuses no press, kept with the interruptions.
  package func warn(of reason: InterruptionReason) {
    let now = clock.now
    let began = readinessCoordinator.update {
      $0.begin(reason, refuses: false, at: now)
    }
    guard let began else { return }
    logger.warning("capture goes on with a warning", metadata: ["capture.reason": "\(reason)"])
    events.send(.interruption(began))
  }

  /// Ends a fault that refuses no press.
  package func endWarning(of reason: InterruptionReason) {
    let now = clock.now
    guard let ended = readinessCoordinator.update({ $0.end(reason, refuses: false, at: now) })
    else { return }
    logger.notice("capture warning ended", metadata: ["capture.reason": "\(reason)"])
    events.send(.interruption(ended))
  }
}
