package import Devices
import Logging

/// A frame that is kept for a press while the gesture is undecided.
package struct Anticipation: Sendable, Hashable {
  let number: Int64
}

/// Presses: admitted, given their frame, handed on, and ended.
extension CaptureSession {
  /// Takes a press and returns its number as soon as it has one.
  ///
  /// The readiness at the moment of the call decides on the caller's thread whether the press is
  /// taken. The press ends as stored or refused; see ``outcome(of:)`` and ``events``.
  ///
  /// - Parameters:
  ///   - time: the kernel's timestamp of the press.
  ///   - source: the press's origin.
  ///   - gesture: the button's gesture.
  ///   - button: the button's name.
  ///   - settings: the settings of the capture.
  ///   - anticipation: the frame that was kept for the press, if it was anticipated.
  /// - Throws: the error of the source of numbers when the disk cannot be written. The press then
  ///   has no number and no picture, and counts as refused.
  @discardableResult
  package nonisolated func press(
    at time: MonotonicInstant, source: Press.Source, gesture: Gesture = .single,
    button: String? = nil, settings: PhotoSettings = PhotoSettings(),
    anticipation: Anticipation? = nil
  ) async throws -> Int64 {
    let (admission, readiness) = readinessCoordinator.admit(at: clock.now)
    let press = Press(number: 0, source: source, time: time, gesture: gesture, button: button)
    return try await enter(press, admission, readiness.state, settings, anticipation)
  }

  /// Gives an unnumbered press its number, and its frame or the reason for having none.
  private func enter(
    _ unnumbered: Press, _ admission: Admission, _ readiness: Readiness.State,
    _ settings: PhotoSettings, _ anticipation: Anticipation?
  ) async throws -> Int64 {
    let number: Int64
    do {
      number = try await numbers.next()
    } catch {
      if case .admitted = admission {
        readinessCoordinator.update { $0.captureFinished(hadFrame: false) }
      }
      if let anticipation { withdraw(anticipation) }
      captures.ledger.refuseWithoutNumber()
      throw error
    }
    var press = unnumbered
    press.number = number
    captures.ledger.begin(press, readiness: readiness)
    captures.progress[number] = CaptureProgressMachine(uniqueID: number)
    switch admission {
    case .refused(let reason):
      if let anticipation { withdraw(anticipation) }
      finish(number, .refused(reason))
    case .admitted(let streamNumber):
      captures.places[number] = false
      refreshLamp()
      resolve(settings, of: number)
      if let record = captures.ledger[number] { events.send(.press(record)) }
      await findFrame(for: press, in: streamNumber, anticipation)
    }
    return number
  }

  private func findFrame(
    for press: Press, in streamNumber: UInt64, _ anticipation: Anticipation?
  ) async {
    let number = press.number
    guard status.isRunning else {
      if let anticipation { withdraw(anticipation) }
      return finish(number, .refused(.sessionNotRunning))
    }
    if let anticipation {
      if var held = captures.held.removeValue(forKey: anticipation.number) {
        held.selection.number = number
        captures.anticipations[anticipation.number] = nil
        return handOn(held, of: press)
      }
      if captures.selector.renumber(anticipation.number, to: number) {
        captures.anticipations[anticipation.number] = nil
        return
      }
      guard captures.anticipations[anticipation.number] != nil else {
        return finish(number, .refused(.noFrameInTime))
      }
      // The anticipation's frame is being leased at this moment.
      captures.anticipations.updateValue(number, forKey: anticipation.number)
      return
    }
    // The stream in which the button was pressed has ended while the press was numbered.
    guard streamNumber == readinessCoordinator.streamNumber else {
      return finish(number, .refused(.noFrameInTime))
    }
    let deadline = max(press.time, clock.now).advanced(by: frameWait)
    await choose(number, at: press.time, deadline: deadline)
  }

  private func choose(
    _ number: Int64, at time: MonotonicInstant, deadline: MonotonicInstant
  ) async {
    switch captures.selector.press(number, at: time, deadline: deadline) {
    case .frame(let selection): await take(selection)
    case .tooLate: abandon(number, .frameOverwritten)
    case .noFrame(let nearest): miss(nearest)
    case .waits: break
    }
    refreshLamp()
  }

  /// The time that a press waits for its frame at most.
  ///
  /// It is the configured time, and with long exposures six frames. The press's frame and the next
  /// one are exposed, read out and go through the pipeline, which is some frames deep. The lamp and
  /// the settling limit add to it.
  var frameWait: Duration {
    max(configuration.maximumWait, stallPatience.longestFrame * 6) + lampDelay
      + configuration.settlingLimit
  }

  /// Keeps the frame of a moment for a press that may follow.
  ///
  /// The button is down, but whether that is a press or the beginning of a longer gesture is not
  /// known yet. The anticipation ends with ``press(at:source:settings:anticipation:)`` or
  /// ``withdraw(_:)``.
  ///
  /// - Returns: the anticipation, or `nil` when a press would be refused now.
  package func anticipate(at time: MonotonicInstant) async -> Anticipation? {
    guard status.isRunning, readiness.state == .ready, captures.anticipations.isEmpty else {
      return nil
    }
    let number = captures.nextAnticipation
    captures.nextAnticipation -= 1
    captures.anticipations.updateValue(nil, forKey: number)
    let deadline = max(time, clock.now).advanced(by: frameWait)
    await choose(number, at: time, deadline: deadline)
    return Anticipation(number: number)
  }

  /// Releases the frame of a gesture that was no press.
  package func withdraw(_ anticipation: Anticipation) {
    captures.selector.withdraw(anticipation.number)
    forget(anticipation.number)
    refreshLamp()
  }

  // MARK: Outcomes

  /// Waits until a press has its outcome and returns its record.
  ///
  /// - Returns: the record, or `nil` when there is no such press or it has been dropped.
  package func outcome(of number: Int64) async -> PressRecord? {
    guard let record = captures.ledger[number] else { return nil }
    guard record.outcome == nil else { return record }
    return await withCheckedContinuation { captures.waiters[number, default: []].append($0) }
  }

  /// Returns the record of a press; `nil` when there is none or it has been dropped.
  package func record(of number: Int64) -> PressRecord? { captures.ledger[number] }

  /// Returns the newest records, the newest first.
  package func latestRecords(_ count: Int) -> [PressRecord] { captures.ledger.latest(count) }

  /// The number of this run's presses: stored, refused and in flight.
  package var pressCounts: (stored: Int, refused: Int, inFlight: Int) {
    (captures.ledger.storedCount, captures.ledger.refusedCount, captures.ledger.inFlightCount)
  }

  // MARK: Frames

  /// Leases the frame that was chosen for a press, or the nearest remaining one.
  func take(_ selection: FrameSelection) async {
    let number = selection.number
    let time = selection.pressTime
    var candidate: FrameSelection? = selection
    while let chosen = candidate {
      if let camera, let lease = await watched({ await camera.lease(chosen.frame.id) }) {
        return keep(chosen, lease, from: camera.identity)
      }
      candidate = captures.selector.replacement(for: chosen, pressedAt: time)
    }
    abandon(number, .frameOverwritten)
  }

  private func keep(
    _ selection: FrameSelection, _ lease: FrameLease, from camera: CameraDescription
  ) {
    var chosen = CaptureBook.ChosenFrame(
      selection: selection, lease: lease, camera: camera,
      captureAngle: rotation.captureAngle(at: selection.frame.exposureMidpoint),
      isAsConfigured: cameraRole == configuration.settings.camera
        && settings.showsSame(as: configuration.settings))
    // An anticipation may have been withdrawn or have become a press while the frame was leased.
    if selection.number < 0 {
      guard let becamePress = captures.anticipations[selection.number] else { return }
      guard let number = becamePress else {
        captures.held[selection.number] = chosen
        return
      }
      captures.anticipations[selection.number] = nil
      chosen.selection.number = number
    }
    guard let press = captures.ledger[chosen.selection.number]?.press else { return }
    handOn(chosen, of: press)
  }

  private func forget(_ anticipation: Int64) {
    captures.anticipations[anticipation] = nil
    captures.held[anticipation] = nil
  }

  private func handOn(_ chosen: CaptureBook.ChosenFrame, of press: Press) {
    let number = press.number
    // A press with an outcome has no place any more.
    guard captures.places[number] == false, let resolved = captures.resolved[number] else { return }
    captures.places[number] = true
    refreshLamp()
    readinessCoordinator.update { $0.frameChosen() }
    let frame = chosen.selection.frame
    captures.ledger.select(
      chosen.selection, captureAngle: chosen.captureAngle, now: clock.now)
    if let record = captures.ledger[number] { events.send(.press(record)) }
    let exposure = frame.exposureDuration ?? .zero
    note(.exposureBegan(at: frame.timestamp.advanced(by: .zero - exposure)), of: number)
    note(.exposureEnded(at: frame.timestamp.advanced(by: frame.readoutDuration)), of: number)
    var photo = CapturedPhoto(
      press: press, selection: chosen.selection, frame: chosen.lease,
      captureAngle: chosen.captureAngle, camera: chosen.camera, settings: resolved)
    photo.isAsConfigured = chosen.isAsConfigured
    photo.pixelsPerInch = pixelsPerInch(of: chosen.lease, camera: chosen.camera.id)
    workContinuation.yield(photo)
  }

  private func resolve(_ wanted: PhotoSettings, of number: Int64) {
    let prioritization = wanted.prioritization ?? settings.prioritization
    captures.prioritizer.isEnabled = settings.isFastCapturePrioritized
    var given =
      wanted.allowsFastCapture
      ? captures.prioritizer.resolve(
        prioritization, capturesInFlight: max(0, captures.places.count - 1))
      : prioritization
    // Frames that the camera compresses itself stay unchanged.
    let isCompressed =
      status.stream?.format.pixelFormat == .mjpeg && configuration.additionalDeliveries.isEmpty
    if isCompressed || !configuration.changesPicture(from: prioritization, to: given) {
      given = prioritization
    }
    let resolved = ResolvedPhotoSettings(
      uniqueID: number,
      photoDimensions: status.stream?.format.size ?? FrameSize(width: 0, height: 0),
      prioritization: given, isFastCapture: given != prioritization,
      expectedDeliveries: [.photo] + configuration.additionalDeliveries,
      replacedPresses: captures.retakes.admit(number, isRetake: wanted.replacesLastPhoto))
    captures.resolved[number] = resolved
    note(.settingsResolved(resolved), of: number)
  }

  // MARK: Ends

  /// Ends the presses that wait for a frame that can no longer come.
  func abandonAllWithoutFrame(_ reason: RefusalReason) {
    for number in captures.selector.abandonAll() { abandon(number, reason) }
    for (number, hasFrame) in captures.places.sorted(by: { $0.key < $1.key }) where !hasFrame {
      finish(number, .refused(reason))
    }
  }

  func delivered(_ delivery: PhotoDelivery, of photo: CapturedPhoto) {
    note(
      .photoDelivered(delivery, count: photo.settings.expectedPhotoCount), of: photo.press.number)
  }

  /// Ends a press, or an anticipation, whose nearest frame shows another moment.
  func miss(_ nearest: FrameSelection) {
    let number = captures.anticipations[nearest.number] ?? nearest.number
    if let number { captures.ledger.miss(nearest, of: number) }
    abandon(nearest.number, .noFrameInTime)
  }

  /// Ends a press without a frame, or an anticipation.
  func abandon(_ number: Int64, _ reason: RefusalReason) {
    guard number < 0 else { return finish(number, .refused(reason)) }
    let press = captures.anticipations[number] ?? nil
    forget(number)
    if let press { finish(press, .refused(reason)) }
  }

  func finish(_ number: Int64, _ outcome: PressOutcome) {
    guard let record = captures.ledger.finish(number, outcome, now: clock.now) else { return }
    if case .refused(let reason) = outcome {
      logger.notice(
        "a press got no picture",
        metadata: ["press.number": "\(number)", "capture.reason": "\(reason)"])
    }
    events.send(.press(record))
    note(.finished(outcome), of: number)
    captures.progress[number] = nil
    captures.resolved[number] = nil
    for waiter in captures.waiters.removeValue(forKey: number) ?? [] {
      waiter.resume(returning: record)
    }
    if let hadFrame = captures.places.removeValue(forKey: number) {
      readinessCoordinator.update { $0.captureFinished(hadFrame: hadFrame) }
    }
    refreshLamp()
  }

  private func note(_ step: CaptureProgress.Step, of number: Int64) {
    guard let progress = captures.progress[number]?.take(step) else { return }
    events.send(.progress(progress))
  }
}
