import Devices
import Testing

@testable import SimulatedDevices

@Suite struct SimulatedSensorTests {
  private let start = MonotonicInstant(nanoseconds: 1_000_000_000)
  private let mode = SimulatedCameraModel.imx708Modes[1]

  private func sensor(
    frameDuration: Duration = .milliseconds(40), exposure: Duration = .milliseconds(10)
  ) -> SimulatedSensor {
    SimulatedSensor(
      model: SimulatedCameraModel(settlingFrames: 1), mode: mode, frameDuration: frameDuration,
      light: SceneLight(exposureDuration: exposure, gain: 2), at: start)
  }

  private func at(_ milliseconds: Int) -> MonotonicInstant {
    start.advanced(by: .milliseconds(milliseconds))
  }

  @Test func `frames lie on a grid and arrive three frames later`() {
    var sensor = sensor()
    #expect(sensor.nextDelivery == at(160))
    let early = sensor.takeDelivered(by: at(159))
    #expect(early.isEmpty)
    let frames = sensor.takeDelivered(by: at(240))
    #expect(frames.map(\.sequence) == [0, 1, 2])
    #expect(frames.map(\.timestamp) == [at(40), at(80), at(120)])
    #expect(frames.map(\.deliveryTime) == [at(160), at(200), at(240)])
    #expect(sensor.nextDelivery == at(280))
  }

  @Test func `a frame never comes before the end of its readout`() {
    var model = SimulatedCameraModel()
    model.pipelineLatency = 0
    let sensor = SimulatedSensor(
      model: model, mode: mode, frameDuration: .milliseconds(40),
      light: SceneLight(exposureDuration: .milliseconds(1), gain: 1), at: start)
    #expect(sensor.nextDelivery == at(40).advanced(by: mode.readoutDuration))
  }

  @Test func `a new frame rate comes three frames later`() {
    var sensor = sensor()
    // The rate is set between frame 1 (80 ms) and frame 2 (120 ms): frames 2, 3 and 4 are as
    // before.
    sensor.set(frameDuration: .milliseconds(100), at: at(90))
    let frames = sensor.takeDelivered(by: at(2000))
    #expect(
      frames.prefix(7).map(\.timestamp)
        == [at(40), at(80), at(120), at(160), at(200), at(240), at(340)])
    #expect(
      frames.prefix(7).map(\.frameDuration)
        == [40, 40, 40, 40, 40, 100, 100].map { .milliseconds($0) })
  }

  @Test func `a new exposure comes two frames later with the right metadata`() {
    var sensor = sensor()
    sensor.set(SceneLight(exposureDuration: .milliseconds(5), gain: 4), at: at(90))
    let frames = sensor.takeDelivered(by: at(400)).prefix(6)
    #expect(
      frames.map(\.exposureDuration) == [10, 10, 10, 10, 5, 5].map { .milliseconds($0) })
    #expect(frames.map(\.analogueGain) == [2, 2, 2, 2, 4, 4])
  }

  @Test(arguments: [2.0, 4.0])
  func `a scan goes on when the light changes`(lensPosition: Double) {
    var sensor = SimulatedSensor(
      model: SimulatedCameraModel(settlingFrames: 8), mode: mode, frameDuration: .milliseconds(40),
      light: SceneLight(), at: start)
    sensor.set(CameraControls(focusMode: .locked(lensPosition: 5)), at: at(90))
    sensor.set(CameraControls(focusMode: .autoFocus), at: at(170))
    var light = SceneLight()
    light.whiteBalanceGains = WhiteBalanceGains(red: 2.2, blue: 1.3)
    light.lensPosition = lensPosition
    sensor.set(light, at: at(170))
    let frames = sensor.takeDelivered(by: at(900)).drop { $0.timestamp < at(170) }
    #expect(frames.prefix(7).allSatisfy { $0.focusState == .scanning })
    #expect(frames.dropFirst(7).allSatisfy { $0.focusState == .focused })
    #expect(frames.last?.lensPosition == lensPosition)
    // After the scan, the lens stays and still reports success.
    light.lensPosition = 7
    sensor.set(light, at: at(900))
    let rest = sensor.takeDelivered(by: at(2000))
    #expect(rest.allSatisfy { $0.lensPosition == lensPosition && $0.focusState == .focused })
    #expect(rest.count > 20)
  }

  @Test func `a gain makes up for a frame that is too short`() throws {
    var sensor = sensor(frameDuration: .milliseconds(20), exposure: .milliseconds(78))
    let frames = sensor.takeDelivered(by: at(500))
    let frame = try #require(frames.first)
    #expect(frame.exposureDuration == .microseconds(19_500))
    #expect(abs(frame.analogueGain - 8) < 1e-9)
    #expect(frame.digitalGain == 1)
  }

  @Test func `a gain beyond the sensor's is digital`() throws {
    var sensor = sensor(frameDuration: .milliseconds(20), exposure: .milliseconds(312))
    let frames = sensor.takeDelivered(by: at(500))
    let frame = try #require(frames.first)
    #expect(frame.analogueGain == 16)
    #expect(abs(frame.digitalGain - 2) < 1e-9)
  }

  @Test(arguments: [UInt64](1...50)) func `deliveries keep their order with any settings`(
    seed: UInt64
  ) {
    var random = SplitMix64(seed: seed)
    var sensor = sensor()
    var now = start
    var frames: [SimulatedSensor.Frame] = []
    for _ in 0..<200 {
      now = now.advanced(by: .microseconds(Int(random.next() % 200_000)))
      if random.next() % 5 == 0 {
        sensor.set(frameDuration: .milliseconds(8 + Int(random.next() % 400)), at: now)
      }
      let next = sensor.nextDelivery
      let due = sensor.takeDelivered(by: now)
      #expect(due.isEmpty == (next > now), "seed \(seed)")
      frames += due
    }
    #expect(frames.map(\.sequence) == (0..<UInt64(frames.count)).map { $0 }, "seed \(seed)")
    for (earlier, later) in zip(frames, frames.dropFirst()) {
      #expect(earlier.deliveryTime <= later.deliveryTime, "seed \(seed)")
      #expect(
        earlier.timestamp.duration(to: later.timestamp) == earlier.frameDuration, "seed \(seed)")
      #expect(earlier.timestamp.nanoseconds % 1000 == 0, "seed \(seed)")
    }
  }
}

extension SimulatedSensor {
  /// Returns the frames that have been delivered by an instant, the oldest first.
  mutating func takeDelivered(by instant: MonotonicInstant) -> [Frame] {
    var frames: [Frame] = []
    takeDelivered(by: instant, into: &frames)
    return frames
  }
}
