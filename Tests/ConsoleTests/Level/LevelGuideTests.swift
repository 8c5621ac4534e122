import Console
import Devices
import TestSupport
import Testing

@Suite struct LevelGuideTests {
  /// A sensor on a rig that feeds a guide every tenth of a second.
  private struct Rig {
    var guide = LevelGuide()
    var generator = SeededGenerator(seed: 7)
    var time = MonotonicInstant(nanoseconds: 0)
    /// The matrix from the rig's axes to the sensor's.
    var inverse = MountMatrix.identity
    var noise = 0.02
    var scale = 9.81

    mutating func rest(_ up: Acceleration, seconds: Double) -> [LevelGuide.Note] {
      var notes: [LevelGuide.Note] = []
      for _ in 0..<Int(seconds * 10) {
        time = time.advanced(by: .milliseconds(100))
        notes += guide.take(sample(up), at: time)
      }
      return notes
    }

    private mutating func sample(_ up: Acceleration) -> Acceleration {
      let sensor = inverse.applied(to: up)
      let off = { (generator: inout SeededGenerator, noise: Double) in
        Double.random(in: -noise...noise, using: &generator)
      }
      return Acceleration(
        x: sensor.x * scale + off(&generator, noise), y: sensor.y * scale + off(&generator, noise),
        z: sensor.z * scale + off(&generator, noise))
    }
  }

  private let turned = MountMatrix(rows: (0, -1, 0), (1, 0, 0), (0, 0, 1))

  private func result(_ notes: [LevelGuide.Note]) -> LevelResult? {
    for case .finished(let result) in notes { return result }
    return nil
  }

  @Test(arguments: MountMatrix.axisRotations)
  func `every way of mounting is found`(_ mount: MountMatrix) throws {
    let m = mount.elements
    var rig = Rig()
    rig.inverse = MountMatrix(
      rows: (m[0], m[3], m[6]), (m[1], m[4], m[7]), (m[2], m[5], m[8]))
    var notes: [LevelGuide.Note] = []
    for pose in LevelPose.allCases { notes += rig.rest(pose.up, seconds: 6) }
    let wanted = notes.compactMap { note in
      if case .wanted(let pose) = note { return pose }
      return nil
    }
    #expect(wanted == LevelPose.allCases)
    let found = try #require(result(notes))
    #expect(found.rightAngled == mount.kernelText)
    #expect(found.isRightAngled && found.measurements.allSatisfy { $0.errorDegrees < 1 })
    let measured = try #require(MountMatrix(kernelText: found.measured))
    #expect(measured.angle(to: mount) < 1)
  }

  @Test func `no position counts while the rig is moved`() {
    var rig = Rig()
    rig.noise = 2
    #expect(rig.rest(LevelPose.level.up, seconds: 30) == [.wanted(.level)])
  }

  @Test func `the first position may be corrected`() throws {
    var rig = Rig()
    #expect(rig.rest(LevelPose.front.up, seconds: 2.5) == [.wanted(.level)])
    let notes = rig.rest(LevelPose.level.up, seconds: 4)
    guard case .taken(.level, let noise)? = notes.first else {
      Issue.record("\(notes)")
      return
    }
    #expect(noise > 0 && noise < 0.05)
  }

  @Test func `an unchanged position does not count twice`() {
    var rig = Rig()
    let notes = rig.rest(LevelPose.level.up, seconds: 60)
    #expect(notes.count == 3)
    #expect(notes.first == .wanted(.level) && notes.last == .wanted(.left))
  }

  @Test func `a wrong position is reported once until the rig is moved`() throws {
    var rig = Rig()
    _ = rig.rest(LevelPose.level.up, seconds: 6)
    let askew = Acceleration(x: 0.7071, y: 0, z: 0.7071)
    let notes = rig.rest(askew, seconds: 20)
    guard case .notThere(.left, let degrees, from: .level)? = notes.first else {
      Issue.record("\(notes)")
      return
    }
    #expect(abs(degrees - 45) < 1)
    #expect(notes.count == 1)
    // A move, and the same position again.
    _ = rig.rest(LevelPose.level.up, seconds: 3)
    #expect(rig.rest(askew, seconds: 5).count == 1)
    #expect(rig.rest(LevelPose.left.up, seconds: 5).contains(.wanted(.front)))
  }

  @Test func `a side taken for another is noticed`() {
    var rig = Rig()
    var notes = rig.rest(LevelPose.level.up, seconds: 6)
    // The right side in place of the left.
    notes += rig.rest(Acceleration(x: -1, y: 0, z: 0), seconds: 6)
    notes += rig.rest(LevelPose.front.up, seconds: 6)
    guard case .failed(let reason)? = notes.last else {
      Issue.record("\(notes)")
      return
    }
    #expect(reason.contains("contradict each other"))
  }

  @Test func `a reading that is not gravity is reported and not used`() {
    var rig = Rig()
    rig.scale = 6
    let notes = rig.rest(LevelPose.level.up, seconds: 10)
    guard case .implausible(let magnitude)? = notes.last else {
      Issue.record("\(notes)")
      return
    }
    #expect(abs(magnitude - 6) < 0.1 && notes.count == 2)
  }

  @Test func `the guide does not wait for ever`() {
    var rig = Rig()
    let notes = rig.rest(LevelPose.level.up, seconds: 200)
    guard case .failed(let reason)? = notes.last(where: { $0 != .wanted(.level) }) else {
      Issue.record("\(notes)")
      return
    }
    #expect(reason.contains("\"left\""))
  }

  @Test func `a repeated reading has no effect`() {
    var guide = LevelGuide()
    let up = Acceleration(x: 0, y: 0, z: 9.81)
    let time = MonotonicInstant(nanoseconds: 5)
    #expect(guide.take(up, at: time) == [.wanted(.level)])
    for _ in 0..<1000 { #expect(guide.take(up, at: time) == []) }
  }

  @Test func `similar positions are refused`() throws {
    let level = Acceleration(x: 0, y: 0.2, z: 9.8)
    let almost = Acceleration(x: 3, y: 0, z: 9.3)
    let refusal = #expect(throws: LevelResult.Refusal.self) {
      try LevelResult([(.level, level, 0.01), (.left, almost, 0.01)])
    }
    #expect(refusal?.description.contains("not a right angle") == true)
    #expect(throws: LevelResult.Refusal.self) { try LevelResult([(.level, level, 0.01)]) }
  }

  @Test func `a crooked sensor is not taken for a right-angled one`() throws {
    // The sensor is turned by 20 degrees about the vertical.
    let (c, s) = (0.9397, 0.3420)
    let result = try LevelResult([
      (.level, Acceleration(x: 0, y: 0, z: 9.81), 0.01),
      (.left, Acceleration(x: 9.81 * c, y: 9.81 * s, z: 0), 0.01),
      (.front, Acceleration(x: -9.81 * s, y: 9.81 * c, z: 0), 0.01),
    ])
    #expect(!result.isRightAngled && abs(result.rightAngledDegrees - 20) < 0.1)
    #expect(result.measurements.allSatisfy { $0.errorDegrees < 0.1 })
  }
}
