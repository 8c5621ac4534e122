import Devices

/// The delivery of frames, and the faults that come between.
extension SimulatedCamera {
  /// Delivers the due frames of the stream, and sets its timer to the next one.
  func step() {
    guard stream != nil else { return }
    let now = world.clock.now
    let (faults, cancellations, light) = world.read { [id = model.id] state in
      (state.cameraFaults[id] ?? [], state.cancellations[id] ?? 0, state.light)
    }
    if faults.contains(.absent) {
      isLost = true
      claim = nil
      world.note(.disconnect)
      stream?.pool.events.send(.disconnected)
      endStream()
      return
    }
    if stream?.cancellations != cancellations {
      world.note(.cancelBurst)
      let error = DeviceError(
        .timedOut, device: model.id, problem: "canceled its requests; the stream has ended",
        cause: "the camera's front end has timed out")
      stream?.pool.events.send(.streamFailed(error))
      endStream()
      return
    }
    stream?.sensor.set(light.value, at: light.since)
    for frame in takeDue(at: now, isStalled: faults.contains(.stalled)) { deliver(frame) }
    if let stream {
      stream.timer.set(to: stream.sensor.nextDelivery, period: stream.sensor.interval)
    }
  }

  private func takeDue(at now: MonotonicInstant, isStalled: Bool) -> [SimulatedSensor.Frame] {
    due.removeAll(keepingCapacity: true)
    stream?.sensor.takeDelivered(by: now, into: &due)
    let wasStalled = stream?.isStalled ?? false
    stream?.isStalled = isStalled
    if isStalled, !wasStalled { world.note(.stall) }
    guard isStalled || wasStalled else {
      return Self.spread(due, over: stream?.outcome.ringFrameCount ?? 1)
    }
    // The oldest frames wait in the pipeline and come first when it runs again. The rest is lost.
    let held = (stream?.stalledFrames ?? []) + due
    let stale = Array(held.prefix(SimulatedCamera.staleFrames))
    stream?.stalledFrames = isStalled ? stale : []
    guard !isStalled else { return [] }
    for _ in stale { world.note(.staleFrame) }
    return stale
  }

  /// Picks at most `count` frames, evenly spread, the newest one among them.
  private static func spread(
    _ frames: [SimulatedSensor.Frame], over count: Int
  ) -> [SimulatedSensor.Frame] {
    guard frames.count > count else { return frames }
    return (1...count).map { frames[$0 * frames.count / count - 1] }
  }

  private func deliver(_ frame: SimulatedSensor.Frame) {
    guard var stream, frame.sequence >= stream.swallowedFrames else { return }
    if world.takeDamagedFrame(of: model.id) {
      world.note(.errorFrame)
      stream.pool.events.send(.damagedFrame(sequence: frame.sequence))
      return
    }
    guard let buffer = stream.pool.take() else { return }
    var info = FrameInfo(
      id: nextID, sequence: frame.sequence, timestamp: frame.timestamp,
      exposureDuration: frame.exposureDuration,
      readoutDuration: stream.outcome.mode.readoutDuration,
      frameDuration: frame.frameDuration, analogueGain: frame.analogueGain,
      digitalGain: frame.digitalGain)
    nextID += 1
    let scene = world.scene(at: info.exposureMidpoint)
    describeAdjustments(of: frame, in: scene.light, &info)
    var linear = scene.linear
    // Steps of a twentieth let frames of nearly the same focus share a painted scene.
    linear?.defocus = ((frame.lensPosition - scene.light.lensPosition) * 20).rounded() / 20
    let response = SensorResponse(
      analogueGain: frame.analogueGain, digitalGain: frame.digitalGain)
    let grain = linear.map { _ in FrameGrain(response, seed: world.seed) }
    // The stream is taken out while it paints, so that its scenes are not copied.
    self.stream = nil
    let turn = scene.position.quarterTurn + model.mounting
    let look = SceneLook(frame, in: scene.light)
    let number = UInt32(truncatingIfNeeded: info.id)
    buffer.memory.withBytes { bytes in
      guard let base = bytes.baseAddress else { return }
      stream.painter.paint(
        page: scene.page, turn: turn, look: look, number: number, buffer: buffer.slot,
        linear: linear, hasHand: scene.hasHand, grain: grain, base: base)
    }
    buffer.preview?.withBytes { bytes in
      guard let base = bytes.baseAddress else { return }
      stream.previewPainter?.paint(
        page: scene.page, turn: turn, look: look, number: number, buffer: buffer.slot,
        linear: linear, hasHand: scene.hasHand, grain: grain, base: base)
    }
    var properties: RawProperties?
    if let rawMemory = buffer.raw {
      // As on a real camera, the zoom is cut out behind the sensor.
      let page = PageScene(
        page: scene.page, turn: turn, format: stream.outcome.resolved.format, linear: linear,
        hasHand: scene.hasHand)
      properties = stream.paintRaw(
        of: page, frame, in: scene.light, seed: world.seed, number: info.id, slot: buffer.slot,
        into: rawMemory)
    }
    self.stream = stream
    stream.pool.finish(buffer.slot, info, raw: properties)
    world.noteDelivered(info, by: model.id)
  }

  /// Describes the state of the model's controls; as on a Pi, white balance has no flag.
  private func describeAdjustments(
    of frame: SimulatedSensor.Frame, in light: SceneLight, _ info: inout FrameInfo
  ) {
    let capabilities = model.capabilities
    if !capabilities.exposureModes.isEmpty { info.exposureState = frame.exposureState }
    if !capabilities.whiteBalanceModes.isEmpty {
      info.whiteBalanceGains = frame.whiteBalanceGains
      info.colorTemperature = light.colorTemperature
    }
    if !capabilities.focusModes.isEmpty {
      info.focusState = frame.focusState
      info.lensPosition = frame.lensPosition
    }
    if capabilities.maximumVideoZoomFactor > 1, let sensor = model.modes.first?.size {
      let size = FrameSize(
        width: Int(Double(sensor.width) / frame.videoZoomFactor),
        height: Int(Double(sensor.height) / frame.videoZoomFactor))
      info.crop = SensorRegion(
        left: (sensor.width - size.width) / 2, top: (sensor.height - size.height) / 2, size: size)
      info.videoZoomFactor = frame.videoZoomFactor
    }
  }
}
