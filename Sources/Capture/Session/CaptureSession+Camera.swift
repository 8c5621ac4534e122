public import Devices
import Logging

/// The camera's side of the session: opening, streaming, noticing stalls, starting anew.
extension CaptureSession {
  private static let backOff: [Duration] = [
    .milliseconds(200), .seconds(1), .seconds(2), .seconds(5),
  ]

  /// Why a stream ended, as far as the session reacts to it differently.
  private enum StreamEnd {
    case cancelled
    case fault(DeviceError)
  }

  /// Keeps a stream running until the task is cancelled.
  ///
  /// - Returns: the fault that only a new process can mend, or `nil` after a cancellation.
  func keepStreaming() async -> DeviceError? {
    var failures = 0
    var fatal: DeviceError?
    while !Task.isCancelled {
      do {
        let camera = try await watched { () async throws(DeviceError) in try await openCamera() }
        self.camera = camera
        let framesBefore = status.frameCount
        let end = await stream(from: camera)
        self.camera = nil
        streamEnded()
        await watched { await camera.close() }
        guard case .fault(let error) = end else { break }
        if status.frameCount > framesBefore { failures = 0 }
        note(error)
        if error.code == .needsNewProcess { fatal = error }
      } catch {
        note(error)
        if error.code == .needsNewProcess { fatal = error }
      }
      if fatal != nil { break }
      let pause = CaptureSession.backOff[min(failures, CaptureSession.backOff.count - 1)]
      failures += 1
      do { try await clock.sleep(for: pause) } catch { break }
    }
    status.camera = nil
    status.stream = nil
    events.send(.session(status))
    return fatal
  }

  private func openCamera() async throws(DeviceError) -> any Camera {
    let found = try await cameras.cameras()
    let choice = configuration.camera
    let description = found.first { candidate in
      switch choice {
      case .first: true
      case .id(let id): candidate.id == id
      case .position(let position): candidate.position == position
      }
    }
    guard let description else {
      let names = found.map { "\"\($0.id)\"" }.joined(separator: ", ")
      throw DeviceError(
        .absent, device: "\(choice)", problem: "was not found",
        cause: found.isEmpty ? "the system lists no camera" : "the system lists \(names)")
    }
    return try await cameras.open(description.id)
  }

  /// Streams until the task is cancelled or the camera fails; the stream is stopped on return.
  private func stream(from camera: any Camera) async -> StreamEnd {
    let started: CameraStream
    do throws(DeviceError) {
      started = try await watched { () async throws(DeviceError) in
        try await camera.start(configuration.stream)
      }
    } catch {
      return .fault(error)
    }
    status.camera = camera.identity
    status.stream = started.configuration
    status.streamStartCount += 1
    logger.info(
      "camera streams",
      metadata: [
        "camera.id": "\(camera.identity.id)",
        "stream.size": "\(started.configuration.format.size)",
        "stream.pixelFormat": "\(started.configuration.format.pixelFormat)",
        "stream.adjustments": "\(started.configuration.adjustments.joined(separator: "; "))",
      ])
    events.send(.session(status))
    if let wantsFrameRate { await apply(frameRate: wantsFrameRate, to: camera) }
    let end = await watch(started, of: camera)
    await watched { await camera.stop() }
    return end
  }

  /// Follows the events of a stream, with a watchdog beside them.
  private func watch(_ started: CameraStream, of camera: any Camera) async -> StreamEnd {
    await withTaskGroup(of: StreamEnd.self) { group in
      group.addTask { await self.follow(started.events, of: camera) }
      group.addTask { await self.watchForStall(of: camera) }
      let end = await group.next() ?? .cancelled
      group.cancelAll()
      return end
    }
  }

  private func follow(_ events: AsyncStream<CameraEvent>, of camera: any Camera) async -> StreamEnd
  {
    for await event in events {
      switch event {
      case .frame(let frame):
        endCameraInterruptions()
        await frameArrived(frame)
      case .damagedFrame:
        status.damagedFrameCount += 1
      case .starved:
        logger.warning(
          "camera has no free buffer", metadata: ["camera.id": "\(camera.identity.id)"])
      case .replenished:
        break
      case .streamFailed(let error):
        return .fault(error)
      case .disconnected:
        return .fault(
          DeviceError(.disconnected, device: camera.identity.id, problem: "was unplugged"))
      }
    }
    return Task.isCancelled
      ? .cancelled
      : .fault(
        DeviceError(.inputOutput, device: camera.identity.id, problem: "ended its stream unasked"))
  }

  /// Waits for a stall that does not end by itself.
  ///
  /// A lost camera gives no signal on most pipelines: that frames cease is all there is to see.
  private func watchForStall(of camera: any Camera) async -> StreamEnd {
    let started = clock.now
    while !Task.isCancelled {
      let newest = max(status.lastFrameArrival ?? started, started)
      let silence = newest.duration(to: clock.now)
      let limit = max(
        configuration.stallTimeout, (status.stream?.frameDuration ?? .zero) * 3,
        frameDurationWanted * 3)
      if silence >= limit {
        setFramesFlow(false)
        beginInterruption(.cameraStalled)
      }
      if silence >= limit + configuration.stallPatience {
        return .fault(
          DeviceError(
            .timedOut, device: camera.identity.id,
            problem: "gave no frame for \(Int(silence.inMilliseconds)) ms"))
      }
      do { try await clock.sleep(for: .milliseconds(50)) } catch { break }
    }
    return .cancelled
  }

  private var frameDurationWanted: Duration {
    wantsFrameRate.map { .seconds(1 / max($0, 0.01)) } ?? .zero
  }

  private func endCameraInterruptions() {
    for reason in [InterruptionReason.cameraAbsent, .cameraInUse, .cameraNotAuthorized]
      + [.cameraStalled, .cameraFailed] where readiness.reasons.contains(reason)
    {
      endInterruption(reason)
    }
  }

  private func note(_ error: DeviceError) {
    status.lastFault = error.description
    let reason: InterruptionReason =
      switch error.code {
      case .absent, .disconnected: .cameraAbsent
      case .busy: .cameraInUse
      case .permissionDenied: .cameraNotAuthorized
      case .timedOut: .cameraStalled
      default: .cameraFailed
      }
    if !readiness.reasons.contains(reason) {
      logger.error(
        "camera lost, trying again",
        metadata: ["error": "\(error)", "capture.reason": "\(reason)"])
    }
    beginInterruption(reason)
    events.send(.session(status))
  }

  // MARK: Heat and gravity

  /// Applies a thermal state: at *serious* and above the frame rate drops, at *critical* presses
  /// are refused.
  public func apply(_ state: ThermalState) async {
    if state == .critical {
      beginInterruption(.thermalPressure)
    } else {
      endInterruption(.thermalPressure)
    }
    let rate =
      state >= .serious ? configuration.seriousFrameRate : configuration.stream.frameRate ?? 30
    guard rate != wantsFrameRate ?? configuration.stream.frameRate ?? 30 else { return }
    wantsFrameRate = rate
    if let camera, status.stream != nil { await apply(frameRate: rate, to: camera) }
  }

  private func apply(frameRate: Double, to camera: any Camera) async {
    do {
      try await watched { () async throws(DeviceError) in try await camera.setFrameRate(frameRate) }
      status.stream?.frameDuration = .seconds(1 / frameRate)
      events.send(.session(status))
      logger.notice("frame rate changed", metadata: ["stream.frameRate": "\(frameRate)"])
    } catch {
      logger.warning("frame rate stays", metadata: ["error": "\(error)"])
    }
  }

  /// Takes a reading of the accelerometer.
  public func update(_ sample: AccelerometerSample) {
    if rotation.update(sample) {
      logger.info("rig turned", metadata: ["rotation.captureAngle": "\(rotation.captureAngle)"])
      events.send(.rotation(captureAngle: rotation.captureAngle))
    }
  }

  /// The clockwise angle by which a picture taken now has to be turned to be upright.
  public var captureAngle: Int { rotation.captureAngle }

  /// The clockwise angle by which a preview has to be turned on a display fixed to the rig.
  public var previewAngle: Int { rotation.previewAngle }
}
