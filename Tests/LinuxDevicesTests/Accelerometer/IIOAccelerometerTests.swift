import Devices
import LinuxDevices
import TestSupport
import Testing

/// The polled mode, on files; the buffered mode needs a kernel device.
@Suite(.timeLimit(.minutes(10))) struct IIOAccelerometerTests {
  private let sysfs: FakeSysfs

  init() throws {
    sysfs = FakeSysfs()
    try plug()
  }

  private func plug(x: Int = 0, y: Int = 1000, z: Int = 0) throws {
    try set("name", "lis3dh")
    try set("in_accel_scale", "0.01")
    try set("in_accel_x_raw", "\(x)")
    try set("in_accel_y_raw", "\(y)")
    try set("in_accel_z_raw", "\(z)")
  }

  private func set(_ attribute: String, _ value: String) throws {
    try sysfs.set("bus/iio/devices/iio:device0/\(attribute)", value, atomically: true)
  }

  private func sensor(
    mountMatrix: MountMatrix? = nil, frozenAfter: Duration? = nil
  ) -> IIOAccelerometer {
    IIOAccelerometer(
      name: "lis3dh", mountMatrix: mountMatrix, frozenAfter: frozenAfter, sysfs: sysfs.path)
  }

  @Test func `readings are scaled and stamped`() async throws {
    let sensor = sensor()
    let before = SystemMonotonicClock().now
    var count = 0
    for await batch in try await sensor.start(rate: 100) {
      for event in batch {
        guard case .sample(let sample) = event else {
          Issue.record("\(event)")
          return
        }
        #expect(sample.acceleration == Acceleration(x: 0, y: 10, z: 0))
        #expect(sample.time > before)
        #expect(sample.time <= SystemMonotonicClock().now)
        count += 1
        if count == 5 { await sensor.stop() }
      }
    }
    #expect(count >= 5)
  }

  /// Returns the milliseconds from an instant to each sample, in the batches that came.
  private func times(
    _ stream: AsyncStream<[AccelerometerEvent]>, since start: MonotonicInstant
  ) async -> [[Double]] {
    await stream.reduce(into: []) { batches, batch in
      var times: [Double] = []
      for case .sample(let sample) in batch {
        times.append(start.duration(to: sample.time).inMilliseconds.rounded())
      }
      batches.append(times)
    }
  }

  @Test func `samples come in batches, in order and with their own times`() async throws {
    let clock = ManualClock()
    let sensor = IIOAccelerometer(name: "lis3dh", sysfs: sysfs.path, clock: clock)
    let start = clock.now
    let stream = try await sensor.start(rate: 10)
    await clock.run(for: .milliseconds(650))
    await sensor.stop()
    #expect(await times(stream, since: start) == [[0], [100, 200, 300], [400, 500, 600]])
  }

  @Test func `a flush delivers the samples until now`() async throws {
    let clock = ManualClock()
    let sensor = IIOAccelerometer(name: "lis3dh", sysfs: sysfs.path, clock: clock)
    let start = clock.now
    let stream = try await sensor.start(rate: 10)
    await clock.run(for: .milliseconds(150))
    await sensor.flush()
    await sensor.stop()
    await sensor.flush()
    #expect(await times(stream, since: start) == [[0], [100, 150]])
  }

  @Test func `the matrix of the board file overrides the kernel's`() async throws {
    try set("mount_matrix", "0, 1, 0; -1, 0, 0; 0, 0, 1")
    let plain = sensor()
    let kernels = try await plain.start(rate: 100).firstSample()
    #expect(kernels?.acceleration == Acceleration(x: 10, y: 0, z: 0))
    let override = MountMatrix(rows: (1, 0, 0), (0, -1, 0), (0, 0, 1))
    let turned = sensor(mountMatrix: override)
    let ours = try await turned.start(rate: 100).firstSample()
    #expect(ours?.acceleration == Acceleration(x: 0, y: -10, z: 0))
    await plain.stop()
    await turned.stop()
  }

  @Test func `an unplugged sensor is reported once and used again when it is back`() async throws {
    let sensor = sensor()
    var failures: [DeviceError.Code] = []
    var isUnplugged = false
    for await batch in try await sensor.start(rate: 100) {
      for event in batch {
        switch event {
        case .sample(let sample):
          if !failures.isEmpty {
            #expect(sample.acceleration == Acceleration(x: 0, y: -10, z: 0))
            await sensor.stop()
          } else if !isUnplugged {
            isUnplugged = true
            try sysfs.remove("bus/iio/devices/iio:device0")
          }
        case .failed(let error):
          failures.append(error.code)
          if error.code == .absent { try plug(y: -1000) }
        }
      }
    }
    #expect(failures.first == .disconnected)
    #expect(failures.dropFirst().first == .absent)
  }

  @Test func `implausible readings are reported and not passed on`() async throws {
    let sensor = sensor()
    var told: DeviceError?
    for await batch in try await sensor.start(rate: 100) {
      for event in batch {
        switch event {
        case .sample(let sample):
          #expect(sample.acceleration.magnitude > 1)
          if told != nil { await sensor.stop() } else { try plug(y: 0) }
        case .failed(let error):
          told = error
          try plug(y: 1000)
        }
      }
    }
    #expect(told?.code == .implausible)
    #expect(
      told?.description
        == "\"lis3dh\" answers nonsense; it is opened again: all axes read zero")
  }

  @Test func `a frozen sensor is reported`() async throws {
    let sensor = sensor(frozenAfter: .milliseconds(50))
    for await batch in try await sensor.start(rate: 100) {
      for case .failed(let error) in batch {
        #expect(error.code == .implausible)
        await sensor.stop()
      }
    }
  }

  @Test func `a dropped sensor ends its stream`() async throws {
    let stream = try await sensor().start(rate: 100)
    for await _ in stream {}
  }

  @Test func `a second start ends the first stream`() async throws {
    let sensor = sensor()
    let first = try await sensor.start(rate: 100)
    let second = try await sensor.start(rate: 50)
    for await _ in first {}
    #expect(await second.firstSample() != nil)
    await sensor.stop()
    await sensor.stop()
  }

  @Test func `a missing sensor is absent at the start`() async throws {
    try sysfs.remove("bus/iio/devices/iio:device0")
    let error = await #expect(throws: DeviceError.self) { try await sensor().start(rate: 10) }
    #expect(error?.code == .absent)
  }
}

extension AsyncStream<[AccelerometerEvent]> {
  /// Returns the next reading; `nil` if the stream ends before.
  fileprivate func firstSample() async -> AccelerometerSample? {
    for await batch in self {
      for case .sample(let sample) in batch { return sample }
    }
    return nil
  }
}
