import Devices

/// The sensor and pipeline of a running camera: which frame is exposed when and delivered when.
///
/// It is a value that is driven with instants and knows no clock. Controls take effect some frames
/// after they are set, and each frame's data tell what that frame was exposed with.
struct SimulatedSensor: Sendable {
  /// One exposed frame on its way through the pipeline.
  struct Frame: Sendable, Hashable {
    var sequence: UInt64
    /// The start of the first row's readout, in whole microseconds as libcamera has it.
    var timestamp: MonotonicInstant
    var frameDuration: Duration
    var exposureDuration: Duration
    var analogueGain: Double
    var digitalGain: Double
    var deliveryTime: MonotonicInstant
  }

  /// The most analogue gain an IMX708 has; the rest is digital.
  static let maximumAnalogueGain = 16.0
  /// What is left of the frame duration for everything but exposure.
  static let exposureMargin = Duration.microseconds(500)

  private struct Settings {
    var frameDuration: Duration
    var exposureDuration: Duration
    var gain: Double
  }

  private enum Control {
    case frameDuration(Duration)
    case exposure(Duration, gain: Double)
  }

  private let mode: SimulatedCameraModel.SensorMode
  private let pipelineLatency: Double
  private let exposureDelay: UInt64
  private let frameRateDelay: UInt64

  private var settings: Settings
  private var pending: [(sequence: UInt64, control: Control)] = []
  private var nextSequence: UInt64 = 0
  private var nextTimestamp: MonotonicInstant
  private var lastDelivery: MonotonicInstant
  private var inFlight: [Frame] = []

  /// Starts a sensor; its first frame is read out one frame duration later.
  init(
    model: SimulatedCameraModel, mode: SimulatedCameraModel.SensorMode, frameDuration: Duration,
    exposureDuration: Duration, gain: Double, at instant: MonotonicInstant
  ) {
    self.mode = mode
    pipelineLatency = max(0, model.pipelineLatency)
    exposureDelay = UInt64(max(0, model.exposureDelay))
    frameRateDelay = UInt64(max(0, model.frameRateDelay))
    let frameDuration = SimulatedSensor.wholeMicroseconds(frameDuration)
    settings = Settings(
      frameDuration: frameDuration, exposureDuration: exposureDuration, gain: gain)
    let start = MonotonicInstant(nanoseconds: instant.nanoseconds / 1000 * 1000)
    nextTimestamp = start.advanced(by: frameDuration)
    lastDelivery = instant
  }

  /// Sets the time from frame to frame, after the control delay.
  mutating func set(frameDuration: Duration, at instant: MonotonicInstant) {
    expose(until: instant)
    let duration = SimulatedSensor.wholeMicroseconds(frameDuration)
    pending.append((nextSequence + frameRateDelay, .frameDuration(duration)))
  }

  /// Sets exposure and gain, after the control delay.
  mutating func set(exposureDuration: Duration, gain: Double, at instant: MonotonicInstant) {
    expose(until: instant)
    pending.append((nextSequence + exposureDelay, .exposure(exposureDuration, gain: gain)))
  }

  /// When the next frame will be delivered.
  var nextDelivery: MonotonicInstant {
    if let first = inFlight.first { return first.deliveryTime }
    var copy = self
    copy.exposeOne()
    return copy.inFlight.first?.deliveryTime ?? lastDelivery
  }

  /// Removes and returns the frames that have been delivered by an instant, the oldest first.
  mutating func takeDelivered(by instant: MonotonicInstant) -> [Frame] {
    expose(until: instant)
    let due = inFlight.prefix { $0.deliveryTime <= instant }
    inFlight.removeFirst(due.count)
    return Array(due)
  }

  private mutating func expose(until instant: MonotonicInstant) {
    while nextTimestamp <= instant { exposeOne() }
  }

  private mutating func exposeOne() {
    for (_, control) in pending.filter({ $0.sequence <= nextSequence }) {
      switch control {
      case .frameDuration(let duration): settings.frameDuration = duration
      case .exposure(let duration, let gain):
        settings.exposureDuration = duration
        settings.gain = gain
      }
    }
    pending.removeAll { $0.sequence <= nextSequence }
    let longest = settings.frameDuration - SimulatedSensor.exposureMargin
    let exposure = max(.microseconds(1), min(settings.exposureDuration, longest))
    let gain = settings.gain * (settings.exposureDuration / exposure)
    let analogue = min(gain, SimulatedSensor.maximumAnalogueGain)
    let latency = max(mode.readoutDuration, settings.frameDuration * pipelineLatency)
    lastDelivery = max(lastDelivery, nextTimestamp.advanced(by: latency))
    inFlight.append(
      Frame(
        sequence: nextSequence, timestamp: nextTimestamp, frameDuration: settings.frameDuration,
        exposureDuration: exposure, analogueGain: analogue, digitalGain: gain / analogue,
        deliveryTime: lastDelivery))
    nextSequence += 1
    nextTimestamp = nextTimestamp.advanced(by: settings.frameDuration)
  }

  private static func wholeMicroseconds(_ duration: Duration) -> Duration {
    .microseconds(max(1, (duration.wholeNanoseconds + 500) / 1000))
  }
}
