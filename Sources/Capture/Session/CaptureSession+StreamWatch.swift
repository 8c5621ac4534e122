import Devices
import Logging

/// The watch over a running stream: its events, its first frame and its stalls.
extension CaptureSession {
  /// Follows the events of a stream, with a watchdog for stalls beside them.
  func watch(_ started: CameraStream, of camera: any Camera) async -> StreamEnd {
    let (changes, announce) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    announceChange = announce
    if wantedChange != nil { announce.yield() }
    defer { announceChange = nil }
    return await withTaskGroup(of: StreamEnd.self) { group in
      group.addTask(executorPreference: followers) {
        await self.follow(started.events, of: camera, isFirstFrameEnough: false) ?? .cancelled
      }
      group.addTask { await self.watchForStall(of: camera) }
      group.addTask {
        for await _ in changes {
          if let change = await self.takeWantedChange() { return .change(change) }
        }
        return .cancelled
      }
      var end = await group.next() ?? .cancelled
      group.cancelAll()
      // The caller of a change that was taken while the stream ended otherwise still waits.
      for await other in group {
        if case .change(.settings(let change)) = other { refuse(change) }
        if case .fault = other, case .change(.settings(let change)) = end {
          refuse(change)
          end = other
        }
      }
      return end
    }
  }

  /// Waits until a stream that has just been started has given a frame, as proof that it works.
  ///
  /// - Returns: `false` when a technician has stopped the session, or it is to end, before that.
  /// - Throws: the reason that no frame came within the stall's timeouts.
  func hasFirstFrame(
    of started: CameraStream, from camera: any Camera
  ) async throws(DeviceError) -> Bool {
    let end = await withTaskGroup(of: StreamEnd?.self) { group in
      group.addTask {
        await self.follow(started.events, of: camera, isFirstFrameEnough: true)
      }
      group.addTask { await self.watchForStall(of: camera, endsWhenStopped: true) }
      let end = await group.next() ?? nil
      group.cancelAll()
      return end
    }
    if case .fault(let error, _) = end { throw error }
    return end == nil
  }

  /// Follows the events of a stream until it ends.
  ///
  /// - Returns: the reason for the end; `nil` when the first frame has come and is enough.
  private func follow(
    _ events: CameraEvents, of camera: any Camera, isFirstFrameEnough: Bool
  ) async -> StreamEnd? {
    let id = camera.identity.id
    for await event in events {
      switch event {
      case .frame(let frame):
        await frameArrived(frame)
        if isFirstFrameEnough { return nil }
      case .damagedFrame:
        status.damagedFrameCount += 1
        damagedSinceFrame += 1
        if damagedSinceFrame == 1 { silenceReasonChanged() }
      case .starved:
        logger.warning("camera has no free buffer", metadata: ["camera.id": "\(id)"])
        setStarved(true)
      case .replenished:
        setStarved(false)
      case .streamFailed(let error):
        let reason =
          error.code == .timedOut ? InterruptionReason.cameraTimedOut : InterruptionReason(error)
        return .fault(error, reason)
      case .disconnected:
        let error = DeviceError(.disconnected, device: id, problem: "was unplugged")
        return .fault(error, .cameraUnplugged)
      }
    }
    guard !Task.isCancelled else { return .cancelled }
    let error = DeviceError(.inputOutput, device: id, problem: "ended its stream unasked")
    return .fault(error, .cameraFailed)
  }

  /// Waits for a stall that does not end by itself.
  ///
  /// On most pipelines, a lost camera gives no signal but the absence of frames.
  private func watchForStall(
    of camera: any Camera, endsWhenStopped: Bool = false
  ) async -> StreamEnd {
    silenceSince = clock.now
    while !Task.isCancelled, let silenceSince {
      if endsWhenStopped, isStoppedByTechnician { return .stopped }
      let now = clock.now
      let stall = stall(of: silenceSince)
      let reason = silenceReason
      if now >= stall.begin {
        readinessCoordinator.update { $0.setFramesFlow(false) }
        interruptCamera(reason, cause: nil)
      }
      if now >= stall.end {
        let silence = silenceSince.duration(to: now)
        let error = DeviceError(
          .timedOut, device: camera.identity.id,
          problem: "gave no frame for \(Int(silence.inMilliseconds)) ms",
          cause: damagedSinceFrame > 0 ? "\(damagedSinceFrame) frames were damaged" : nil)
        return .fault(error, reason)
      }
      await streamTimer.sleep(until: now < stall.begin ? stall.begin : stall.end)
    }
    return .cancelled
  }

  /// Returns when a silence that lasts becomes a stall, and when the camera is given up.
  private func stall(
    of silence: MonotonicInstant
  ) -> (begin: MonotonicInstant, end: MonotonicInstant) {
    let begin = silence.advanced(by: stallPatience.silence(isFirst: lastFrame == nil))
    return (begin, begin.advanced(by: configuration.stallPatience))
  }

  /// Returns the next time at which the watched stream's silence has a consequence.
  func stallDeadline(after now: MonotonicInstant) -> MonotonicInstant? {
    silenceSince.map { silence in
      let stall = stall(of: silence)
      return now < stall.begin ? stall.begin : stall.end
    }
  }

  /// Notes that the camera has no buffer to fill, or has one again.
  func setStarved(_ isStarved: Bool) {
    status.isStarved = isStarved
    readinessCoordinator.update { $0.setStarved(isStarved) }
    silenceReasonChanged()
  }

  /// Has a stall that lasts shown with its new reason.
  private func silenceReasonChanged() {
    if outageBegan != nil { streamTimer.wake() }
  }

  private var silenceReason: InterruptionReason {
    if status.isStarved { return .buffersExhausted }
    return damagedSinceFrame > 0 ? .cameraFailed : .cameraStalled
  }

  /// The silence after which the camera counts as stalled.
  var stallPatience: StallPatience {
    StallPatience(
      timeout: configuration.stallTimeout,
      frameDuration: max(
        status.stream?.frameDuration ?? .zero, lastFrameDuration, frameDurationWanted),
      exposureDuration: max(lastFrame?.exposureDuration ?? .zero, exposureWish.longest))
  }

  /// The duration of the newest frame as the camera reports it; zero when unknown.
  var lastFrameDuration: Duration { lastFrame?.frameDuration ?? .zero }

  private var frameDurationWanted: Duration {
    frameRateLimit.map { .seconds(1 / max($0, 0.01)) } ?? .zero
  }
}
