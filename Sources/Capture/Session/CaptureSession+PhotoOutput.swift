import Devices
import Logging

/// The session's work for its ``PhotoOutput``: leases of frames, events and readiness.
extension CaptureSession {
  /// Carries out a reply, including its leases, and the replies to these.
  func carryOut(_ reply: PhotoOutput.Reply) async {
    perform(reply.actions)
    var leases = reply.leases
    while !leases.isEmpty {
      let next = leases.removeFirst()
      leases = await lease(next) + leases
    }
    await apply(reply.controls)
  }

  /// Leases a chosen frame.
  ///
  /// - Returns: the frames to lease instead if that failed.
  private func lease(_ selection: FrameSelection) async -> [FrameSelection] {
    // The lamp may be switched again meanwhile.
    let isLit = lampSwitch?.isLit(selection.frame) ?? false
    guard let camera, let lease = await watched({ await camera.lease(selection.frame.id) }) else {
      let reply = outputs.photo.overwritten(selection, now: clock.now)
      perform(reply.actions)
      return reply.leases
    }
    let orientation = rotation.captureOrientation(at: selection.frame.exposureMidpoint)
    var chosen = ChosenFrame(
      selection: selection, lease: lease, camera: camera.identity,
      captureAngle: orientation.angle, orientationSource: orientation.source,
      isAsConfigured: lifecycle.current?.role == configuration.settings.camera
        && settings.showsSame(as: configuration.settings), isLit: isLit)
    let neighbors = outputs.photo.neighbors(
      of: selection,
      isKeptForAverage: settings.prioritization == .quality && constraints.averagesFrames
        && lease.format.pixelFormat != .mjpeg)
    chosen.singleFrame = neighbors.reason
    for frame in neighbors.frames {
      // The ring may have moved on, and fewer frames are enough.
      guard let other = await watched({ await camera.lease(frame.id) }),
        other.format == lease.format
      else { continue }
      chosen.neighbors.append(other)
    }
    perform(outputs.photo.leased(chosen, now: clock.now))
    return []
  }

  /// Carries out the actions of the output in order, after each of its changes.
  func perform(_ actions: [PhotoOutput.Action]) {
    for action in actions {
      switch action {
      case .send(let event): events.send(event)
      case .frameChosen: readinessCoordinator.update { $0.frameChosen() }
      case .process(var photo):
        photo.isHot = !constraints.averagesFrames
        photo.pixelsPerInch = pixelsPerInch(of: photo.frame, camera: photo.camera.id)
        for index in photo.companions.indices {
          photo.companions[index].pixelsPerInch = pixelsPerInch(
            of: photo.companions[index].frame, camera: photo.camera.id)
        }
        workContinuation.yield(photo)
      case .finish(let record):
        if case .refused(let reason)? = record.outcome {
          logger.notice(
            "a press got no picture",
            metadata: ["press.number": "\(record.press.number)", "capture.reason": "\(reason)"])
        }
        events.send(.press(record))
      case .answer(let waiters, let record):
        for waiter in waiters { waiter.resume(returning: record) }
      case .captureFinished(let hadFrame):
        readinessCoordinator.update { $0.captureFinished(hadFrame: hadFrame) }
      case .note(let refusal, let number):
        logger.notice(
          "a bracket is not taken",
          metadata: ["press.number": "\(number)", "cause": "\(refusal.cause)"])
      case .bracketEnded: readinessCoordinator.update { $0.endBracket() }
      }
    }
    stateChanged()
  }

  /// Ends a press; a press that has an outcome keeps that.
  func finish(_ number: Int64, _ outcome: PressOutcome) {
    perform(outputs.photo.finish(number, outcome, now: clock.now))
  }

  /// Notes that a file of a photo is on stable storage.
  func delivered(_ delivery: PhotoDelivery, of photo: CapturedPhoto) {
    perform(outputs.photo.delivered(delivery, of: photo))
  }
}
