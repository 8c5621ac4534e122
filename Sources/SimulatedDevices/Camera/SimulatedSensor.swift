import Devices

/// The sensor and pipeline of a running camera: the times of each frame's exposure and delivery.
///
/// The sensor is a value that is driven with instants and knows no clock. Controls take effect some
/// frames after they are set, and each frame's data report the controls of its exposure.
struct SimulatedSensor: Sendable {
  /// An exposed frame on its way through the pipeline.
  struct Frame: Sendable, Hashable {
    var sequence: UInt64
    /// The start of the first row's readout, in whole microseconds as in libcamera.
    var timestamp: MonotonicInstant
    var frameDuration: Duration
    var exposureDuration: Duration
    var analogueGain: Double
    var digitalGain: Double
    var exposureState: AdjustmentState
    var whiteBalanceGains: WhiteBalanceGains
    var whiteBalanceState: AdjustmentState
    var lensPosition: Double
    var focusState: FocusState
    var videoZoomFactor: Double
    var image: [ImageControl: Double]
    var deliveryTime: MonotonicInstant
  }

  /// The maximum analog gain of an IMX708; the rest is digital.
  static let maximumAnalogueGain = 16.0
  /// The part of the frame duration that is left for everything but exposure.
  static let exposureMargin = Duration.microseconds(500)
  /// The maximum number of requests that have waiting controls; more replace them.
  private static let mostWaitingControls: UInt64 = 7

  private let mode: SimulatedCameraModel.SensorMode
  private let pipelineLatency: Double
  private let exposureDelay: UInt64
  private let frameRateDelay: UInt64
  private let adjustments: SimulatedAdjustments

  private var light: SceneLight
  private var controls: CameraControls
  /// The diopters by which the place of the focus is nearer than the left half of the scene.
  private var nearness = 0.0
  private var frameDuration: DelayedTrack<Duration>
  private var exposure: DelayedTrack<SimulatedExposure>
  private var whiteBalance: DelayedTrack<SimulatedWhiteBalance>
  private var lens: DelayedTrack<SimulatedLens>
  private var zoom: DelayedTrack<Double>
  private var image: DelayedTrack<[ImageControl: Double]>
  private var nextSequence: UInt64 = 0
  /// The first frame whose request has no controls yet.
  private var nextControlled: UInt64 = 0
  private var nextTimestamp: MonotonicInstant
  private var lastDelivery: MonotonicInstant
  private var inFlight: [Frame] = []

  /// Starts a sensor, whose first frame is read out one frame duration later and has the controls.
  ///
  /// Automatics start with their final values. The frames that are swallowed after a start stand
  /// for the search.
  init(
    model: SimulatedCameraModel, mode: SimulatedCameraModel.SensorMode, frameDuration: Duration,
    light: SceneLight, controls: CameraControls = CameraControls(), at instant: MonotonicInstant
  ) {
    self.mode = mode
    self.light = light
    self.controls = CameraControls()
    pipelineLatency = max(0, model.pipelineLatency)
    exposureDelay = UInt64(max(0, model.exposureDelay))
    frameRateDelay = UInt64(max(0, model.frameRateDelay))
    adjustments = SimulatedAdjustments(frameCount: model.settlingFrames)
    let frameDuration = SimulatedSensor.wholeMicroseconds(frameDuration)
    self.frameDuration = DelayedTrack(frameDuration)
    exposure = DelayedTrack(SimulatedAdjustments.initialExposure)
    whiteBalance = DelayedTrack(SimulatedAdjustments.initialWhiteBalance)
    lens = DelayedTrack(SimulatedAdjustments.initialLens)
    zoom = DelayedTrack(1)
    image = DelayedTrack([:])
    let start = MonotonicInstant(nanoseconds: instant.nanoseconds / 1000 * 1000)
    nextTimestamp = start.advanced(by: frameDuration)
    lastDelivery = instant
    apply(
      controls, from: 0, exposureDelay: 0, adjustments: SimulatedAdjustments(frameCount: 1))
  }

  /// Sets the time between frames, after the control delay.
  mutating func set(frameDuration duration: Duration, at instant: MonotonicInstant) {
    expose(until: instant)
    frameDuration.plan(
      [SimulatedSensor.wholeMicroseconds(duration)], from: nextSequence + frameRateDelay)
  }

  /// Sets all controls; exposure and gain follow after the control delay, the rest at once.
  ///
  /// Successive controls go with successive requests, and so take effect on successive frames.
  ///
  /// - Parameter nearness: the diopters by which the place of the focus is nearer than the left
  ///   half of the scene.
  mutating func set(
    _ controls: CameraControls, nearness: Double = 0, at instant: MonotonicInstant
  ) {
    expose(until: instant)
    self.nearness = nearness
    var sequence = max(nextSequence, nextControlled)
    if sequence > nextSequence + Self.mostWaitingControls { sequence = nextSequence }
    nextControlled = sequence + 1
    apply(controls, from: sequence, exposureDelay: exposureDelay, adjustments: adjustments)
  }

  /// Sets the light; running automatics follow a change.
  mutating func set(_ light: SceneLight, at instant: MonotonicInstant) {
    guard light != self.light else { return }
    expose(until: instant)
    self.light = light
    applyExposure(controls, from: nextSequence + exposureDelay, adjustments)
    applyWhiteBalance(controls.whiteBalanceMode, from: nextSequence, adjustments)
    // A single scan moves on to the new focus, and does not restart after its end.
    let isScanOver = controls.focusMode?.isSingleScan == true && !lens.isChanging
    if !isScanOver, lens.final.position != sharpPosition {
      applyFocus(controls.focusMode, from: nextSequence, adjustments)
    }
  }

  private mutating func apply(
    _ controls: CameraControls, from sequence: UInt64, exposureDelay: UInt64,
    adjustments: SimulatedAdjustments
  ) {
    self.controls = controls
    applyExposure(controls, from: sequence + exposureDelay, adjustments)
    applyWhiteBalance(controls.whiteBalanceMode, from: sequence, adjustments)
    applyFocus(controls.focusMode, from: sequence, adjustments)
    zoom.plan([controls.videoZoomFactor], from: sequence)
    image.plan([controls.image], from: sequence)
  }

  private mutating func applyExposure(
    _ controls: CameraControls, from sequence: UInt64, _ adjustments: SimulatedAdjustments
  ) {
    let present = exposure.value(before: sequence)
    switch controls.exposureMode {
    case nil, .continuousAutoExposure:
      let ideal = light.exposure(with: controls)
      let goal = exposure.final
      if goal.state == .locked || (goal.duration, goal.gain) != ideal {
        exposure.plan(adjustments.exposures(from: present, to: ideal), from: sequence)
      }
    case .locked:
      var held = present
      held.state = .locked
      exposure.plan([held], from: sequence)
    case .custom(let duration, let gain):
      exposure.plan(
        [SimulatedExposure(duration: duration, gain: gain, state: .locked, isFixed: true)],
        from: sequence)
    }
  }

  private mutating func applyWhiteBalance(
    _ mode: CameraControls.WhiteBalanceMode?, from sequence: UInt64,
    _ adjustments: SimulatedAdjustments
  ) {
    let present = whiteBalance.value(before: sequence)
    switch mode {
    case nil, .continuousAutoWhiteBalance:
      let ideal = light.whiteBalanceGains
      let goal = whiteBalance.final
      if goal.state == .locked || goal.gains != ideal {
        whiteBalance.plan(
          adjustments.whiteBalances(from: present.gains, to: ideal), from: sequence)
      }
    case .locked:
      whiteBalance.plan(
        [SimulatedWhiteBalance(gains: present.gains, state: .locked)], from: sequence)
    case .custom(let gains):
      whiteBalance.plan([SimulatedWhiteBalance(gains: gains, state: .locked)], from: sequence)
    }
  }

  /// The lens position at which the place of the focus is sharp.
  private var sharpPosition: Double { light.lensPosition + nearness }

  private mutating func applyFocus(
    _ mode: CameraControls.FocusMode?, from sequence: UInt64, _ adjustments: SimulatedAdjustments
  ) {
    let present = lens.value(before: sequence)
    switch mode {
    case nil, .continuousAutoFocus:
      let goal = lens.final
      if goal.state == .idle || goal.position != sharpPosition {
        lens.plan(adjustments.scan(from: present.position, to: sharpPosition), from: sequence)
      }
    case .autoFocus, .autoFocusAtPoint:
      lens.plan(adjustments.scan(from: present.position, to: sharpPosition), from: sequence)
    case .locked(let position):
      lens.plan(
        [SimulatedLens(position: position ?? present.position, state: .idle)], from: sequence)
    }
  }

  /// The usual time between two deliveries.
  var interval: Duration { inFlight.last?.frameDuration ?? frameDuration.current }

  /// The time of the next frame's delivery.
  var nextDelivery: MonotonicInstant {
    if let first = inFlight.first { return first.deliveryTime }
    var copy = self
    copy.exposeOne()
    return copy.inFlight.first?.deliveryTime ?? lastDelivery
  }

  /// Moves the frames that have been delivered by an instant to the end of a list, in their order.
  mutating func takeDelivered(by instant: MonotonicInstant, into frames: inout [Frame]) {
    expose(until: instant)
    let count = inFlight.firstIndex { $0.deliveryTime > instant } ?? inFlight.count
    frames += inFlight[..<count]
    inFlight.removeFirst(count)
  }

  private mutating func expose(until instant: MonotonicInstant) {
    while nextTimestamp <= instant { exposeOne() }
  }

  private mutating func exposeOne() {
    let wanted = exposure.advance(to: nextSequence)
    let balance = whiteBalance.advance(to: nextSequence)
    let lens = lens.advance(to: nextSequence)
    let zoom = zoom.advance(to: nextSequence)
    let image = image.advance(to: nextSequence)
    var duration = frameDuration.advance(to: nextSequence)
    if wanted.isFixed {
      let needed = wanted.duration + SimulatedSensor.exposureMargin
      duration = max(duration, SimulatedSensor.wholeMicroseconds(needed))
    }
    let longest = duration - SimulatedSensor.exposureMargin
    let exposed = max(.microseconds(1), min(wanted.duration, longest))
    let gain = wanted.gain * (wanted.duration / exposed)
    let analogue = min(gain, SimulatedSensor.maximumAnalogueGain)
    let latency = max(mode.readoutDuration, duration * pipelineLatency)
    lastDelivery = max(lastDelivery, nextTimestamp.advanced(by: latency))
    inFlight.append(
      Frame(
        sequence: nextSequence, timestamp: nextTimestamp, frameDuration: duration,
        exposureDuration: exposed, analogueGain: analogue, digitalGain: gain / analogue,
        exposureState: wanted.state, whiteBalanceGains: balance.gains,
        whiteBalanceState: balance.state, lensPosition: lens.position, focusState: lens.state,
        videoZoomFactor: zoom, image: image, deliveryTime: lastDelivery))
    nextSequence += 1
    nextTimestamp = nextTimestamp.advanced(by: duration)
  }

  private static func wholeMicroseconds(_ duration: Duration) -> Duration {
    .microseconds(max(1, (duration.wholeNanoseconds + 500) / 1000))
  }
}
