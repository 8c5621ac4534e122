import Devices
import Testing

extension Conformance {
  @Suite struct AccelerometerConformanceTests {
    @Test(arguments: ConformanceBoard.all, RestingPosition.allCases)
    func `gravity points along the rig's axes`(
      board: ConformanceBoard, position: RestingPosition
    ) async throws {
      let rig = try await board.makeRig()
      try await rig.hands.place(position)
      let sample = try await Self.samples(1, of: rig.accelerometer.start(rate: 50))[0]
      let (found, wanted) = (sample.acceleration, position.acceleration)
      let difference = Acceleration(
        x: found.x - wanted.x, y: found.y - wanted.y, z: found.z - wanted.z)
      #expect(difference.magnitude < 0.4, "\(found) instead of \(wanted), in m/s²")
      await rig.accelerometer.stop()
    }

    @Test(arguments: ConformanceBoard.all, [10.0, 50])
    func `samples come at the wanted rate`(board: ConformanceBoard, rate: Double) async throws {
      let rig = try await board.makeRig()
      let count = Int(rate) * 2 + 1
      let clock = SystemMonotonicClock()
      let began = clock.now
      let samples = try await Self.samples(count, of: rig.accelerometer.start(rate: rate))
      let times = samples.map(\.time)
      #expect(times == times.sorted())
      let found = 1000 / medianPeriod(of: samples)
      #expect(abs(found - rate) < rate * 0.15, "\(found) samples a second instead of \(rate)")
      let newest = times[count - 1]
      #expect(newest > began && newest <= clock.now, "\(newest) is not within the stream's time")
      await rig.accelerometer.stop()
    }

    @Test(arguments: ConformanceBoard.all)
    func `a turn is followed while sampling`(board: ConformanceBoard) async throws {
      let rig = try await board.makeRig()
      var events = AccelerometerEvents(try await rig.accelerometer.start(rate: 50))
      while case .sample(let sample)? = await events.next() {
        if sample.acceleration.y > 9 { break }
      }
      try await rig.hands.place(.upsideDown)
      while case .sample(let sample)? = await events.next() {
        if sample.acceleration.y < -9 { break }
        #expect(sample.acceleration.y > 9, "a reading is half old and half new")
      }
      await rig.accelerometer.stop()
    }

    @Test(arguments: ConformanceBoard.all)
    func `stopping ends the stream and allows a new start`(board: ConformanceBoard)
      async throws
    {
      let rig = try await board.makeRig()
      for rate in [25.0, 100, 25] {
        let events = try await rig.accelerometer.start(rate: rate)
        _ = try await Self.samples(3, of: events)
        await rig.accelerometer.stop()
        for await _ in events {}
      }
      await rig.accelerometer.stop()
    }

    @Test(arguments: ConformanceBoard.all)
    func `a second start ends the first stream`(board: ConformanceBoard) async throws {
      let rig = try await board.makeRig()
      let first = try await rig.accelerometer.start(rate: 25)
      let second = try await rig.accelerometer.start(rate: 50)
      for await _ in first {}
      _ = try await Self.samples(3, of: second)
      await rig.accelerometer.stop()
    }

    @Test(arguments: ConformanceBoard.all)
    func `a sensor that is unplugged is reported and comes back`(board: ConformanceBoard)
      async throws
    {
      let rig = try await board.makeRig()
      var events = AccelerometerEvents(try await rig.accelerometer.start(rate: 50))
      #expect(try #require(await events.next()).isSample)
      try await rig.hands.plugAccelerometer(false)
      while let event = await events.next(), event.isSample {}
      try await rig.hands.plugAccelerometer(true)
      try await rig.hands.place(.landscapeLeft)
      while let event = await events.next() {
        if case .sample(let sample) = event, sample.acceleration.x > 9 { break }
      }
      await rig.accelerometer.stop()
    }

    @Test(arguments: ConformanceBoard.all)
    func `a sensor that does not exist is absent`(board: ConformanceBoard) async throws {
      let rig = try await board.makeRig()
      let error = await #expect(throws: DeviceError.self) {
        try await rig.absentAccelerometer.start(rate: 10)
      }
      #expect(error?.code == .absent)
    }

    /// Returns the next samples of a stream; a fault in between fails the case.
    private static func samples(
      _ count: Int, of stream: AsyncStream<[AccelerometerEvent]>
    ) async throws -> [AccelerometerSample] {
      var samples: [AccelerometerSample] = []
      var events = AccelerometerEvents(stream)
      while let event = await events.next() {
        guard case .sample(let sample) = event else {
          Issue.record("\(event)")
          continue
        }
        samples.append(sample)
        if samples.count == count { break }
      }
      try #require(samples.count == count, "the stream ended early")
      return samples
    }
  }
}

/// Returns the median milliseconds between samples; a short delay of the machine does not move it.
func medianPeriod(of samples: [AccelerometerSample]) -> Double {
  let times = samples.map(\.time)
  let periods = zip(times, times.dropFirst()).map { $0.duration(to: $1).inMilliseconds }
  return periods.sorted()[periods.count / 2]
}

/// The events of an accelerometer one by one.
struct AccelerometerEvents {
  private var batches: AsyncStream<[AccelerometerEvent]>.AsyncIterator
  private var waiting: ArraySlice<AccelerometerEvent> = []

  init(_ stream: AsyncStream<[AccelerometerEvent]>) { batches = stream.makeAsyncIterator() }

  mutating func next() async -> AccelerometerEvent? {
    while waiting.isEmpty {
      guard let batch = await batches.next(isolation: #isolation) else { return nil }
      waiting = batch[...]
    }
    return waiting.removeFirst()
  }
}

extension AccelerometerEvent {
  fileprivate var isSample: Bool {
    if case .sample = self { true } else { false }
  }
}
