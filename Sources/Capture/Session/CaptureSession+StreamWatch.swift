import Devices
import Logging

/// The watch over a running stream: its events, requests for its end, and its stalls.
extension CaptureSession {
  /// Follows the events of a stream, with a watch for stalls and requests beside them.
  ///
  /// - Returns: the reason for the end; `nil` when the first frame has come and is enough.
  func watch(
    _ started: CameraStream, of camera: any Camera, isFirstFrameEnough: Bool = false
  ) async -> StreamEnd? {
    await withTaskGroup(of: StreamEnd?.self) { group in
      group.addTask(executorPreference: followers) {
        await self.follow(started.events, of: camera, isFirstFrameEnough: isFirstFrameEnough)
      }
      group.addTask(executorPreference: followers) { await self.watchForEnd(of: camera) }
      var end = await group.next() ?? nil
      group.cancelAll()
      // The caller of a change that was taken while the stream ended otherwise still waits.
      for await other in group {
        if case .change(let change)? = other { refuse(change) }
        if case .fault? = other, case .change(let change)? = end {
          refuse(change)
          end = other
        }
      }
      return end
    }
  }

  /// Follows the events of a stream until it ends, or until its first frame.
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
        stallDetector.frameDamaged()
        if stallDetector.damagedCount == 1 { silenceReasonChanged() }
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

  /// Waits for a stop, a change of the settings, or a stall that does not end by itself.
  private func watchForEnd(of camera: any Camera) async -> StreamEnd {
    stallDetector.begin(at: clock.now)
    while !Task.isCancelled, let stall {
      if let end = lifecycle.requestedEnd() { return end }
      let now = clock.now
      let reason = silenceReason
      if now >= stall.begin {
        readinessCoordinator.update { $0.setFramesFlow(false) }
        interruptCamera(reason, cause: nil)
      }
      if now >= stall.end {
        return .fault(stallDetector.fault(of: camera.identity.id, at: now), reason)
      }
      await streamTimer.sleep(until: now < stall.begin ? stall.begin : stall.end)
    }
    return .cancelled
  }

  /// The beginning of a stall if the silence lasts, and the time at which the camera is given up.
  private var stall: (begin: MonotonicInstant, end: MonotonicInstant)? {
    stallDetector.stall(frameDuration)
  }

  /// Returns the next time at which the watched stream's silence has a consequence.
  func stallDeadline(after now: MonotonicInstant) -> MonotonicInstant? {
    stall.map { now < $0.begin ? $0.begin : $0.end }
  }

  /// Notes that the camera has no buffer to fill, or has one again.
  func setStarved(_ isStarved: Bool) {
    status.isStarved = isStarved
    readinessCoordinator.update { $0.setStarved(isStarved) }
    silenceReasonChanged()
  }

  /// Has a stall that lasts shown with its new reason.
  private func silenceReasonChanged() {
    if lifecycle.outageBegan != nil { streamTimer.wake() }
  }

  private var silenceReason: InterruptionReason {
    if status.isStarved { return .buffersExhausted }
    return stallDetector.damagedCount > 0 ? .cameraFailed : .cameraStalled
  }

  /// The longest time that a frame may take now.
  var longestFrame: Duration { stallDetector.longestFrame(frameDuration) }

  private var frameDuration: Duration {
    let wanted: Duration = frameRateLimit.map { .seconds(1 / max($0, 0.01)) } ?? .zero
    return max(status.stream?.frameDuration ?? .zero, wanted)
  }
}
