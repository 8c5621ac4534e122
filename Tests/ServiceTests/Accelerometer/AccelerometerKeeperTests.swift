import Capture
import Devices
import TestSupport
import Testing

@testable import Service

@Suite struct AccelerometerKeeperTests {
  private let bench = ServiceBench()
  private let keeper: AccelerometerKeeper

  init() {
    keeper = AccelerometerKeeper(
      frozenAfter: .seconds(30), monitor: bench.monitor, logger: bench.log.logger)
  }

  /// Returns a sample of a rig that is turned clockwise by 0° or 90°.
  private func sample(at milliseconds: Int, angle: Int = 0) -> AccelerometerSample {
    // The noise tells a working sensor from a frozen one.
    let noise = Double(milliseconds % 7) / 100
    return AccelerometerSample(
      acceleration: Acceleration(
        x: angle == 90 ? -9.8 : noise, y: angle == 90 ? noise : 9.8, z: 0),
      time: instant(milliseconds))
  }

  private func take(_ samples: [AccelerometerSample]) async -> [AccelerometerSample] {
    await keeper.take(samples.map { .sample($0) })
  }

  @Test func `every sample of every batch comes out once, in order and with its time`() async {
    let samples = (0..<250).map { sample(at: $0 * 40, angle: $0 < 103 ? 0 : 90) }
    var told: [AccelerometerSample] = []
    for start in stride(from: 0, to: samples.count, by: 6) {
      told += await take(Array(samples[start..<min(start + 6, samples.count)]))
    }
    #expect(told == Array(samples.prefix(told.count)))
    #expect(samples.count - told.count <= 25, "a second's samples at most are held back")
    #expect(await bench.monitor.snapshot.gravity == samples.last)
  }

  @Test func `a turn comes out with its batch and counts from its own time`() async {
    #expect(await take((0..<6).map { sample(at: $0 * 40) }).isEmpty, "nothing turns")
    let turning = (6..<12).map { sample(at: $0 * 40, angle: $0 < 9 ? 0 : 90) }
    let told = await take(turning)
    #expect(told.map(\.time) == (0..<12).map { instant($0 * 40) })
    var rotation = RotationCoordinator(mountingAngle: 0)
    for sample in told { rotation.update(sample) }
    #expect(rotation.captureAngle(at: instant(359)) == 0)
    #expect(rotation.captureAngle(at: instant(360)) == 90)
  }

  /// The text may turn pictures only as long as the rig lies.
  @Test func `a rig that is laid down or taken up comes out with its batch`() async {
    func lying(at milliseconds: Int) -> AccelerometerSample {
      AccelerometerSample(
        acceleration: Acceleration(x: 0, y: Double(milliseconds % 7) / 100, z: 9.8),
        time: instant(milliseconds))
    }
    #expect(await take([sample(at: 0)]).isEmpty)
    #expect(await take([lying(at: 40), lying(at: 80)]).count == 3)
    #expect(await take([lying(at: 120), sample(at: 160)]).isEmpty, "one reading may be a knock")
    #expect(await take([sample(at: 200)]).count == 3)
  }

  @Test func `a rig at rest is told once a second`() async {
    var counts: [Int] = []
    for batch in 0..<12 {
      let told = await take((0..<5).map { sample(at: (batch * 5 + $0) * 50) })
      if !told.isEmpty { counts.append(told.count) }
    }
    #expect(counts == [25, 25])
  }

  @Test func `a reading that repeats is frozen after its time`() async {
    let states = bench.monitor.changes.listen()
    var seconds: Int?
    for second in 0..<40 where seconds == nil {
      let batch = (0..<4).map { part in
        AccelerometerSample(
          acceleration: Acceleration(x: 0, y: 9.8, z: 0), time: instant(second * 1000 + part * 250))
      }
      _ = await take(batch)
      if await bench.monitor.snapshot.accelerometer == .frozen { seconds = second }
    }
    #expect(seconds == 30)
    bench.monitor.changes.finish()
    var told: [AccelerometerState] = []
    for await case .accelerometer(let state) in states { told.append(state) }
    #expect(told == [.ok, .frozen], "no batch that changes nothing is told")
  }

  @Test func `the next check for silence is when the sensor may have been silent too long`() async {
    #expect(await keeper.checkSilence(at: instant(0)) == instant(3000))
    _ = await take([sample(at: 1000)])
    #expect(await keeper.checkSilence(at: instant(3000)) == instant(4000))
    #expect(await bench.monitor.snapshot.accelerometer == .ok)
    #expect(await keeper.checkSilence(at: instant(4000)) == instant(7000))
    #expect(await bench.monitor.snapshot.accelerometer == .frozen)
  }
}
