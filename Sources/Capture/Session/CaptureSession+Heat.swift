import Devices
import Logging

/// What the session does without while the rig is hot, and what it only warns of.
extension CaptureSession {
  /// Applies constraints in place of those before.
  ///
  /// Refused presses are an interruption, spaced ones a moment in which the session is not ready;
  /// both have the reason ``InterruptionReason/thermalPressure``. A lower frame rate is set at the
  /// running stream and at every later one. The preview is not the session's: whoever makes one
  /// reads ``captureConstraints``.
  public func apply(_ constraints: CaptureConstraints) async {
    let frameRate = frameRateLimit ?? configuredFrameRate
    self.constraints = constraints
    var spacing: Duration?
    if case .spaced(let duration) = constraints.shots { spacing = duration }
    readinessCoordinator.update { [spacing] in $0.setShotSpacing(spacing, at: clock.now) }
    if constraints.shots == .refused {
      beginInterruption(.thermalPressure)
    } else {
      endInterruption(.thermalPressure)
    }
    let wanted = frameRateLimit ?? configuredFrameRate
    guard wanted != frameRate else { return }
    if let camera, status.stream != nil { await apply(frameRate: wanted, to: camera) }
  }

  private var configuredFrameRate: Double { settings.frameRate ?? startedFrameRate ?? 30 }

  /// The frames a second that the constraints leave; `nil` when that is as many as configured.
  var frameRateLimit: Double? {
    constraints.maximumFrameRate.flatMap { $0 < configuredFrameRate ? $0 : nil }
  }

  /// The constraints that were applied last.
  public var captureConstraints: CaptureConstraints { constraints }

  func apply(frameRate: Double, to camera: any Camera) async {
    do {
      let applied = try await watched { () async throws(DeviceError) in
        try await camera.setFrameRate(frameRate)
      }
      status.stream?.frameDuration = applied
      events.send(.session(status))
      logger.notice(
        "frame rate changed",
        metadata: ["stream.frameRate": "\(frameRate)", "stream.frameDuration": "\(applied)"])
    } catch {
      logger.warning("frame rate stays", metadata: ["error": "\(error)"])
    }
  }

  // MARK: Warnings

  /// Something begins to be wrong that refuses no press; it is kept with the interruptions.
  ///
  /// - Parameters:
  ///   - reason: what.
  ///   - cause: what the part that is wrong said, for people.
  public func warn(of reason: InterruptionReason, cause: String? = nil) {
    readinessCoordinator.update { _ = $0.warn(of: reason) }
    guard let began = interruptions.begin(reason, cause: cause, refuses: false, at: clock.now)
    else { return }
    logger.warning("capture goes on with a warning", metadata: ["capture.reason": "\(reason)"])
    events.send(.interruption(began))
  }

  /// What refused no press is no longer wrong.
  public func endWarning(of reason: InterruptionReason) {
    readinessCoordinator.update { _ = $0.endWarning(of: reason) }
    guard let ended = interruptions.end(reason, refuses: false, at: clock.now) else { return }
    logger.notice("capture warning ended", metadata: ["capture.reason": "\(reason)"])
    events.send(.interruption(ended))
  }
}
