import API
import Devices
import Testing

@testable import Service

@Suite struct AccelerometerTestTests {
  private func test(_ values: [Double], each milliseconds: Int = 100) -> AccelerometerTest {
    var test = AccelerometerTest()
    for (index, value) in values.enumerated() {
      test.take(
        AccelerometerSample(
          acceleration: Acceleration(x: 0, y: value, z: 0),
          time: MonotonicInstant(nanoseconds: Int64(index * milliseconds) * 1_000_000)))
    }
    return test
  }

  @Test(
    arguments: [
      ([9.8, 9.8, 9.8], .ok, nil), ([9.8, 9.8, 9.8], .frozen, "accelerometer"),
      ([], .absent, "accelerometer"), ([8.0, 8.0, 8.0], .ok, "accelerometerRestless"),
      ([9.0, 10.6, 9.0, 10.6], .ok, "accelerometerRestless"),
      ([9.8, .nan], .ok, "accelerometer"), ([9.8, .infinity], .ok, "accelerometer"),
      ([9.8], .ok, nil),
    ] as [([Double], AccelerometerState, String?)])
  func `readings are judged`(_ known: ([Double], AccelerometerState, String?)) {
    #expect(test(known.0).problem(state: known.1, wantedRate: 10)?.code == known.2)
  }

  @Test func `readings that come too rarely are a fault`() {
    let slow = test([9.8, 9.8, 9.8], each: 500)
    #expect(slow.rate == 2)
    let problem = slow.problem(state: .ok, wantedRate: 10)
    #expect(problem?.seen == "2.00 readings come a second, 10.00 are wanted")
    #expect(slow.problem(state: .ok, wantedRate: 3) == nil)
  }

  @Test func `the mean and the noise agree with a worked example`() {
    let test = test([2, 4, 4, 4, 5, 5, 7, 9])
    #expect(test.mean[1] == 5)
    // The sample variance is 32/7.
    #expect(abs(test.noise[1] * test.noise[1] - 32.0 / 7) < 1e-9)
  }
}
