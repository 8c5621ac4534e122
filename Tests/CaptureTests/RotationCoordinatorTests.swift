import Capture
import Devices
import Foundation
import TestSupport
import Testing

@Suite struct RotationCoordinatorTests {
  private func sample(_ x: Double, _ y: Double, _ z: Double, at seconds: Double = 0)
    -> AccelerometerSample
  {
    AccelerometerSample(
      acceleration: Acceleration(x: x, y: y, z: z),
      time: MonotonicInstant(nanoseconds: Int64(seconds * 1e9)))
  }

  /// Returns gravity for a rig turned clockwise by an angle in its plane.
  private func turned(_ degrees: Double, at seconds: Double = 0) -> AccelerometerSample {
    let radians = degrees * .pi / 180
    return sample(-9.81 * sin(radians), 9.81 * cos(radians), 0, at: seconds)
  }

  /// Takes a reading as often as needed for it to be trusted.
  private func settle(_ coordinator: inout RotationCoordinator, _ sample: AccelerometerSample) {
    for _ in 0..<RotationCoordinator.agreement { coordinator.update(sample) }
  }

  @Test(arguments: [(0.0, 9.81, 0), (-9.81, 0.0, 90), (0.0, -9.81, 180), (9.81, 0.0, 270)])
  func `the four positions give their angles`(_ x: Double, _ y: Double, _ angle: Int) {
    var coordinator = RotationCoordinator(mountingAngle: 0)
    coordinator.update(sample(x, y, 0))
    #expect(coordinator.captureAngle == angle)
  }

  @Test(arguments: [9.81, -9.81])
  func `a flat rig keeps its last angle`(z: Double) {
    var coordinator = RotationCoordinator(mountingAngle: 0)
    coordinator.update(turned(90))
    let changed = coordinator.update(sample(0.4, 0.4, z))
    #expect(!changed)
    #expect(coordinator.captureAngle == 90)
  }

  static let turns: [(Double, Double, Int)] = [
    (0, 54, 0), (0, 56, 90), (90, 36, 90), (90, 34, 0), (0, -54, 0),
    (0, -56, 270), (270, 326, 0), (180, 234, 180), (180, 236, 270),
  ]

  @Test(arguments: turns)
  func `the angle changes only beyond the diagonal`(_ from: Double, _ to: Double, _ expected: Int) {
    var coordinator = RotationCoordinator(mountingAngle: 0)
    settle(&coordinator, turned(from))
    settle(&coordinator, turned(to))
    #expect(coordinator.captureAngle == expected)
  }

  @Test func `a shaken rig keeps its last angle`() {
    var coordinator = RotationCoordinator(mountingAngle: 0)
    coordinator.update(turned(180))
    coordinator.update(sample(25, 3, 0))
    coordinator.update(sample(1, 1, 1))
    coordinator.update(sample(.nan, 0, 0))
    #expect(coordinator.captureAngle == 180)
  }

  /// A spike on the bus, or a knock, spoils one reading so that it still could be gravity.
  @Test(arguments: [90.0, 180, 270])
  func `a single reading turns no picture`(angle: Double) {
    var coordinator = RotationCoordinator(mountingAngle: 0)
    for reading in [0.0, angle, 0, angle, 0] { coordinator.update(turned(reading)) }
    #expect(coordinator.captureAngle == 0)
    coordinator.update(turned(angle))
    // The same holds for a vibrating rig.
    coordinator.update(sample(25, 3, 0))
    #expect(coordinator.captureAngle == 0)
    coordinator.update(turned(angle))
    #expect(coordinator.captureAngle == Int(angle))
  }

  @Test func `the mounting angle turns both angles`() {
    var coordinator = RotationCoordinator(mountingAngle: 90)
    #expect(coordinator.captureAngle == 90)
    #expect(coordinator.previewAngle == 90)
    coordinator.update(turned(270))
    #expect(coordinator.captureAngle == 0)
    #expect(coordinator.previewAngle == 90)
  }

  @Test func `the angle of the exposure is remembered`() {
    var coordinator = RotationCoordinator(mountingAngle: 0)
    coordinator.update(turned(0, at: 10))
    coordinator.update(turned(90, at: 11))
    coordinator.update(turned(90, at: 11.5))
    coordinator.update(turned(180, at: 12))
    coordinator.update(turned(180, at: 12.5))
    func angle(_ seconds: Double) -> Int {
      coordinator.captureAngle(at: MonotonicInstant(nanoseconds: Int64(seconds * 1e9)))
    }
    // A turn holds from its first reading.
    let angles: [Int] = [9, 10.5, 11, 11.9, 12, 20].map(angle)
    let expected: [Int] = [0, 0, 90, 90, 180, 180]
    #expect(angles == expected)
  }

  /// A slow full turn with noise changes the angle four times, never back and forth.
  @Test(arguments: 0..<10 as Range<UInt64>)
  func `noise does not make the angle flap`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var coordinator = RotationCoordinator(mountingAngle: 0)
    var angles: [Int] = []
    for tenth in 0..<3600 {
      let noise = Double.random(in: -8...8, using: &random)
      if coordinator.update(turned(Double(tenth) / 10 + noise, at: Double(tenth) / 100)) {
        angles.append(coordinator.captureAngle)
      }
    }
    let expected: [Int] = [90, 180, 270]
    #expect(Array(angles.prefix(3)) == expected, "seed \(seed)")
    #expect(angles.count <= 4, "seed \(seed)")
  }

  @Test func `the sensor's own rotation is added`() {
    var rotation = RotationCoordinator(mountingAngle: 270)
    rotation.streamAngle = 180
    #expect(rotation.captureAngle == 90 && rotation.previewAngle == 90)
    rotation.streamAngle = 0
    #expect(rotation.captureAngle == 270)
  }

  // MARK: Source

  private func instant(_ seconds: Double) -> MonotonicInstant {
    MonotonicInstant(nanoseconds: Int64(seconds * 1e9))
  }

  private func flat(at seconds: Double) -> AccelerometerSample {
    sample(0.4, 0.4, 9.81, at: seconds)
  }

  /// Returns the angle and its source at a second, for example `90 kept`.
  private func orientation(_ coordinator: RotationCoordinator, at seconds: Double) -> String {
    let orientation = coordinator.captureOrientation(at: instant(seconds))
    return "\(orientation.angle) \(orientation.source.rawValue)"
  }

  @Test func `text decides while the rig lies, and gravity again when it can tell`() {
    var coordinator = RotationCoordinator(mountingAngle: 0)
    coordinator.update(turned(90, at: 1))
    #expect(orientation(coordinator, at: 1) == "90 gravity")
    coordinator.update(flat(at: 2))
    #expect(orientation(coordinator, at: 2) == "90 kept")
    let turnedByText = coordinator.update(textAngle: 180, at: instant(2.1))
    #expect(turnedByText && coordinator.captureAngle == 180)
    let again = coordinator.update(textAngle: 180, at: instant(2.2))
    #expect(!again, "the same angle is no turn")
    coordinator.update(flat(at: 3))
    #expect(orientation(coordinator, at: 3) == "180 kept")
    #expect(orientation(coordinator, at: 1.5) == "90 gravity", "an earlier frame")
    // A single reading may be a knock.
    coordinator.update(turned(0, at: 4))
    #expect(orientation(coordinator, at: 4) == "180 kept")
    coordinator.update(turned(0, at: 4.1))
    #expect(orientation(coordinator, at: 4) == "0 gravity")
    let late = coordinator.update(textAngle: 270, at: instant(4.2))
    #expect(!late && coordinator.captureAngle == 0, "gravity can tell")
    let old = coordinator.update(textAngle: 270, at: instant(3))
    #expect(!old && coordinator.captureAngle == 0, "gravity has told since")
  }

  @Test func `a reading that ends after that of a later picture does not count`() {
    var coordinator = RotationCoordinator(mountingAngle: 0)
    coordinator.update(flat(at: 1))
    coordinator.update(textAngle: 180, at: instant(3))
    let changed = coordinator.update(textAngle: 90, at: instant(2))
    #expect(!changed && orientation(coordinator, at: 4) == "180 kept")
  }

  @Test func `a rig without an accelerometer has a fixed angle until its text tells another`() {
    var coordinator = RotationCoordinator(mountingAngle: 90)
    #expect(orientation(coordinator, at: 1) == "90 fixed")
    let changed = coordinator.update(textAngle: 270, at: instant(1))
    #expect(changed)
    #expect(orientation(coordinator, at: 2) == "270 kept")
    coordinator.update(turned(0, at: 3))
    #expect(orientation(coordinator, at: 3) == "90 gravity")
  }

  @Test(arguments: [0, 90, 180, 270], [0, 90, 180, 270])
  func `the text's angle is that of the camera's picture`(_ mounting: Int, _ text: Int) {
    var coordinator = RotationCoordinator(mountingAngle: mounting)
    coordinator.streamAngle = 90
    coordinator.update(flat(at: 1))
    coordinator.update(textAngle: text, at: instant(1))
    #expect(orientation(coordinator, at: 1) == "\(text) kept")
    #expect(coordinator.previewAngle == (mounting + 90) % 360, "the display has not turned")
  }

  @Test func `a knock does not take gravity's word away, and lasting silence does`() {
    var coordinator = RotationCoordinator(mountingAngle: 0)
    coordinator.update(turned(180, at: 1))
    coordinator.update(sample(25, 3, 0, at: 1.1))
    #expect(orientation(coordinator, at: 1.2) == "180 gravity")
    #expect(orientation(coordinator, at: 4.2) == "180 kept", "the sensor is silent")
    let changed = coordinator.update(textAngle: 0, at: instant(4.2))
    #expect(changed && orientation(coordinator, at: 4.3) == "0 kept")
    var shaken = RotationCoordinator(mountingAngle: 0)
    shaken.update(turned(180, at: 1))
    shaken.update(sample(25, 3, 0, at: 4.1))
    #expect(orientation(shaken, at: 4.1) == "180 kept")
  }
}
