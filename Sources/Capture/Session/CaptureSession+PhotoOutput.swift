import Devices
import Logging
import Synchronization

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
    await preferWhole(&chosen, of: camera)
    let neighbors = outputs.photo.neighbors(
      of: chosen.selection,
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

  /// Gives a frame that lost data on its way from the camera up for its neighbor, if that is whole.
  ///
  /// The neighbor is leased first, because the check may take longer than a frame. The only frame
  /// of a press is kept, damaged or not. A frame of a bracket is kept without a look: no other can
  /// stand for it, and the next step's frame may not wait.
  private func preferWhole(_ chosen: inout ChosenFrame, of camera: any Camera) async {
    guard let findDamage, chosen.lease.format.pixelFormat == .mjpeg,
      !outputs.photo.isOfBracket(chosen.selection)
    else { return }
    let spare = outputs.photo.spare(for: chosen.selection)
    var other: FrameLease?
    if let spare { other = await watched({ await camera.lease(spare.frame.id) }) }
    guard let damage = await findDamage(chosen.lease) else { return }
    let metadata: Logger.Metadata = [
      "frame.id": "\(chosen.selection.frame.id)", "cause": "\(damage)",
    ]
    if let spare, let other, await findDamage(other) == nil {
      chosen.selection = spare
      chosen.lease = other
      let orientation = rotation.captureOrientation(at: spare.frame.exposureMidpoint)
      (chosen.captureAngle, chosen.orientationSource) = (orientation.angle, orientation.source)
      chosen.isLit = lampSwitch?.isLit(spare.frame) ?? false
      logger.warning("a frame came damaged, its neighbor is taken", metadata: metadata)
    } else {
      chosen.isDamaged = true
      logger.warning("a frame came damaged, and is stored without a whole one", metadata: metadata)
    }
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
      case .bracketEnded:
        light(nil)
        readinessCoordinator.update { $0.endBracket() }
      }
    }
    stateChanged()
  }

  /// Ends a press; a press that has an outcome keeps that.
  func finish(_ number: Int64, _ outcome: PressOutcome) {
    perform(outputs.photo.finish(number, outcome, now: clock.now))
  }

  /// Notes the last files of a photo and ends its press.
  func finish(_ photo: CapturedPhoto, _ last: [PhotoDelivery], _ outcome: PressOutcome) {
    for delivery in last { delivered(delivery, of: photo) }
    finish(photo.press.number, outcome)
  }

  /// Notes that a file of a photo is on stable storage.
  func delivered(_ delivery: PhotoDelivery, of photo: CapturedPhoto) {
    perform(outputs.photo.delivered(delivery, of: photo))
  }
}

/// The files that complete a photo, which the session hears of with the photo's outcome.
final class LastDeliveries: Sendable {
  private let kept = Mutex<[PhotoDelivery]>([])

  var deliveries: [PhotoDelivery] { kept.withLock { $0 } }

  func keep(_ delivery: PhotoDelivery) {
    kept.withLock { $0.append(delivery) }
  }
}
