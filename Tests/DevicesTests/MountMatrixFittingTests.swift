import Devices
import Foundation
import TestSupport
import Testing

@Suite struct MountMatrixFittingTests {
  private let axes = [
    Acceleration(x: 1, y: 0, z: 0), Acceleration(x: 0, y: 1, z: 0), Acceleration(x: 0, y: 0, z: 1),
  ]

  /// Returns a rotation about a random axis, by Rodrigues' formula.
  private func randomRotation(_ generator: inout SeededGenerator) -> MountMatrix {
    let axis = randomDirection(&generator)
    let angle = Double.random(in: 0...Double.pi, using: &generator)
    let (c, s) = (cos(angle), sin(angle))
    let (x, y, z) = (axis.x, axis.y, axis.z)
    return MountMatrix(
      rows: (c + x * x * (1 - c), x * y * (1 - c) - z * s, x * z * (1 - c) + y * s),
      (y * x * (1 - c) + z * s, c + y * y * (1 - c), y * z * (1 - c) - x * s),
      (z * x * (1 - c) - y * s, z * y * (1 - c) + x * s, c + z * z * (1 - c)))
  }

  private func randomDirection(_ generator: inout SeededGenerator) -> Acceleration {
    while true {
      let part = { (generator: inout SeededGenerator) in
        Double.random(in: -1...1, using: &generator)
      }
      let vector = Acceleration(
        x: part(&generator), y: part(&generator), z: part(&generator))
      let length = vector.magnitude
      guard length > 0.1, length <= 1 else { continue }
      return Acceleration(x: vector.x / length, y: vector.y / length, z: vector.z / length)
    }
  }

  /// Returns the reading of a sensor with a matrix; the inverse of a rotation is its transpose.
  private func reading(_ rig: Acceleration, _ matrix: MountMatrix) -> Acceleration {
    let m = matrix.elements
    return Acceleration(
      x: m[0] * rig.x + m[3] * rig.y + m[6] * rig.z, y: m[1] * rig.x + m[4] * rig.y + m[7] * rig.z,
      z: m[2] * rig.x + m[5] * rig.y + m[8] * rig.z)
  }

  @Test(arguments: [2, 3])
  func `random rotations are found`(_ count: Int) throws {
    var generator = TestSeed.generator()
    for _ in 0..<500 {
      let matrix = randomRotation(&generator)
      let directions = axes.prefix(count).map {
        MountMatrix.Direction(sensor: reading($0, matrix), rig: $0)
      }
      let found = try #require(MountMatrix(fitting: directions))
      #expect(found.angle(to: matrix) < 0.001, "\(matrix) \(found)")
    }
  }

  @Test func `noise and misalignment cost no more than their own size`() throws {
    var generator = TestSeed.generator()
    for _ in 0..<500 {
      let matrix = randomRotation(&generator)
      // Each reading is off by up to 3 degrees, and by a tenth in length.
      let directions = axes.map { axis in
        let wrong = randomDirection(&generator)
        let off = 0.052 * Double.random(in: 0...1, using: &generator)
        let scale = 9.81 * Double.random(in: 0.9...1.1, using: &generator)
        let sensor = reading(axis, matrix)
        return MountMatrix.Direction(
          sensor: Acceleration(
            x: (sensor.x + off * wrong.x) * scale, y: (sensor.y + off * wrong.y) * scale,
            z: (sensor.z + off * wrong.z) * scale), rig: axis)
      }
      let found = try #require(MountMatrix(fitting: directions))
      #expect(found.angle(to: matrix) < 5)
      // A rotation keeps lengths and angles, even with wrong readings.
      for one in axes {
        for other in axes {
          let (a, b) = (found.applied(to: one), found.applied(to: other))
          let product = a.x * b.x + a.y * b.y + a.z * b.z
          #expect(abs(product - (one == other ? 1 : 0)) < 1e-9)
        }
      }
    }
  }

  @Test func `directions that leave the rotation open are refused`() {
    let up = axes[2]
    let same = [up, Acceleration(x: 0.001, y: 0, z: 1), Acceleration(x: 0, y: 0, z: -1)]
    for other in same {
      let directions = [
        MountMatrix.Direction(sensor: up, rig: up),
        MountMatrix.Direction(sensor: other, rig: other),
      ]
      #expect(MountMatrix(fitting: directions) == nil)
    }
    #expect(MountMatrix(fitting: []) == nil)
    let one = MountMatrix.Direction(sensor: up, rig: up)
    #expect(MountMatrix(fitting: [one]) == nil)
    for broken in [Acceleration(x: 0, y: 0, z: 0), Acceleration(x: .nan, y: 0, z: 1)] {
      let direction = MountMatrix.Direction(sensor: broken, rig: axes[0])
      #expect(MountMatrix(fitting: [one, direction]) == nil)
    }
  }

  @Test func `the 24 rotations onto axes are each their own nearest`() throws {
    let all = MountMatrix.axisRotations
    #expect(Set(all).count == 24)
    for matrix in all {
      #expect(matrix.nearestAxisRotation == matrix)
      #expect(all.filter { matrix.angle(to: $0) < 89 } == [matrix])
      // The text has the notation of the configuration and the kernel.
      #expect(MountMatrix(kernelText: matrix.kernelText) == matrix)
    }
    #expect(MountMatrix.identity.kernelText == "1, 0, 0; 0, 1, 0; 0, 0, 1")
  }

  @Test func `a text keeps the matrix to a ten thousandth`() throws {
    var generator = TestSeed.generator()
    for _ in 0..<200 {
      let matrix = randomRotation(&generator)
      let read = try #require(MountMatrix(kernelText: matrix.kernelText))
      #expect(matrix.kernelText.allSatisfy { "-0123456789.,; ".contains($0) })
      #expect(zip(read.elements, matrix.elements).allSatisfy { abs($0 - $1) <= 0.000051 })
    }
  }
}
