import Capture
import Devices
import Testing

@Suite struct AccelerometerHealthTests {
  private func sample(_ x: Double, at seconds: Double) -> AccelerometerEvent {
    .sample(
      AccelerometerSample(
        acceleration: Acceleration(x: x, y: 9.8, z: 0),
        time: MonotonicInstant(nanoseconds: Int64(seconds * 1e9))))
  }

  @Test func `good readings are used`() {
    var health = AccelerometerHealth(isConfigured: true, frozenAfter: .seconds(2))
    #expect(health.state == .absent)
    let used = health.event(sample(0.1, at: 0))
    #expect(used != nil)
    #expect(health.state == .ok)
  }

  @Test func `identical readings freeze the sensor and a change ends that`() {
    var health = AccelerometerHealth(isConfigured: true, frozenAfter: .seconds(2))
    for tenth in 0..<20 {
      let used = health.event(sample(0.1, at: Double(tenth) / 10))
      #expect(used != nil)
    }
    let stale = health.event(sample(0.1, at: 2))
    #expect(stale == nil)
    #expect(health.state == .frozen)
    let thawed = health.event(sample(0.2, at: 2.1))
    #expect(thawed != nil)
    #expect(health.state == .ok)
  }

  @Test func `identical readings may be allowed`() {
    var health = AccelerometerHealth(isConfigured: true, frozenAfter: nil)
    for second in 0..<1000 {
      let used = health.event(sample(0.1, at: Double(second)))
      #expect(used != nil)
    }
    #expect(health.state == .ok)
  }

  @Test func `a silent sensor is frozen`() {
    var health = AccelerometerHealth(isConfigured: true, frozenAfter: nil, silentAfter: .seconds(3))
    _ = health.event(sample(0.1, at: 10))
    health.tick(now: MonotonicInstant(nanoseconds: 12_900_000_000))
    #expect(health.state == .ok)
    health.tick(now: MonotonicInstant(nanoseconds: 13_000_000_000))
    #expect(health.state == .frozen)
    _ = health.event(sample(0.1, at: 14))
    #expect(health.state == .ok)
  }

  @Test(arguments: [Double.nan, .infinity, 0, 1000])
  func `implausible readings are never used`(value: Double) {
    var health = AccelerometerHealth(isConfigured: true, frozenAfter: nil)
    for second in 0..<5 {
      let event = AccelerometerEvent.sample(
        AccelerometerSample(
          acceleration: Acceleration(x: value, y: value, z: value),
          time: MonotonicInstant(nanoseconds: Int64(second))))
      let used = health.event(event)
      #expect(used == nil)
    }
    #expect(health.state == .implausible)
  }

  @Test(arguments: [
    (DeviceError.Code.implausible, AccelerometerState.implausible), (.timedOut, .frozen),
    (.absent, .absent), (.disconnected, .absent), (.permissionDenied, .absent), (.busy, .absent),
  ])
  func `a failure sets the state for its code`(
    code: DeviceError.Code, state: AccelerometerState
  ) {
    var health = AccelerometerHealth(isConfigured: true, frozenAfter: nil)
    _ = health.event(sample(0.1, at: 0))
    _ = health.event(.failed(DeviceError(code, device: "lis3dh", problem: "fails")))
    #expect(health.state == state)
    _ = health.event(sample(0.1, at: 1))
    #expect(health.state == .ok)
  }

  @Test func `a failure and a missing sensor have their own states`() {
    var health = AccelerometerHealth(isConfigured: true, frozenAfter: nil)
    _ = health.event(sample(0.1, at: 0))
    let used = health.event(.failed(DeviceError(.absent, device: "lis3dh", problem: "is gone")))
    #expect(used == nil)
    #expect(health.state == .absent)
    #expect(AccelerometerHealth(isConfigured: false, frozenAfter: nil).state == .none)
  }
}
