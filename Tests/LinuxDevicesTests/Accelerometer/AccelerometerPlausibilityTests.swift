import Devices
import Testing

@testable import LinuxDevices

@Suite struct AccelerometerPlausibilityTests {
  private func instant(_ seconds: Double) -> MonotonicInstant {
    MonotonicInstant(nanoseconds: Int64(seconds * 1e9))
  }

  @Test(
    arguments: [
      (Acceleration(x: 0, y: 9.81, z: 0), nil), (Acceleration(x: 0.01, y: 0, z: 0), nil),
      (Acceleration(x: 150, y: 150, z: 150), nil),
      (Acceleration(x: 0, y: 0, z: 0), "all axes read zero"),
      (Acceleration(x: .nan, y: 0, z: 9.81), "a reading is not a number"),
      (Acceleration(x: .infinity, y: 0, z: 9.81), "a reading is not a number"),
      (Acceleration(x: 0, y: 320, z: 0), "a reading is 320 m/s²"),
    ] as [(Acceleration, String?)])
  func `an implausible reading is named`(acceleration: Acceleration, fault: String?) {
    var plausibility = AccelerometerPlausibility(frozenAfter: nil)
    let firstFault = plausibility.fault(of: acceleration, at: instant(1))
    #expect(firstFault == fault)
  }

  @Test func `a sensor that repeats its reading for too long is frozen until it moves`() {
    var plausibility = AccelerometerPlausibility(frozenAfter: .seconds(10))
    let still = Acceleration(x: 0, y: 9.81, z: 0)
    let other = Acceleration(x: 0, y: 9.82, z: 0)
    let firstFault = plausibility.fault(of: still, at: instant(0))
    #expect(firstFault == nil)
    let secondFault = plausibility.fault(of: still, at: instant(9.9))
    #expect(secondFault == nil)
    let thirdFault = plausibility.fault(of: still, at: instant(10))
    #expect(thirdFault != nil)
    let fourthFault = plausibility.fault(of: other, at: instant(11))
    #expect(fourthFault == nil)
    let fifthFault = plausibility.fault(of: other, at: instant(20))
    #expect(fifthFault == nil)
  }

  @Test func `an emulated sensor may stand still for ever`() {
    var plausibility = AccelerometerPlausibility(frozenAfter: nil)
    let still = Acceleration(x: 0, y: 9.81, z: 0)
    let firstFault = plausibility.fault(of: still, at: instant(0))
    #expect(firstFault == nil)
    let secondFault = plausibility.fault(of: still, at: instant(1e6))
    #expect(secondFault == nil)
  }
}
