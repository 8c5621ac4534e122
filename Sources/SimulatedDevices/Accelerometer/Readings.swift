import Devices

/// The readings of a simulated accelerometer, as a function of the position and a number.
///
/// A reading is in the sensor's axes. ``inRig(_:)`` applies the driver's mount matrix to it.
struct Readings: Sendable {
  /// The step of the sensor, 1 mg in m/s².
  static let step = Acceleration.standardGravity / 1000

  private let seed: UInt64
  private let sensorFromRig: MountMatrix
  private let mountMatrix: MountMatrix

  init(seed: UInt64, fitting: MountMatrix, mountMatrix: MountMatrix) {
    self.seed = seed
    sensorFromRig = fitting.inverse
    self.mountMatrix = mountMatrix
  }

  func reading(of position: RigPosition, index: UInt64) -> Acceleration {
    let sensor = sensorFromRig.applied(to: position.acceleration)
    return Acceleration(
      x: quantized(sensor.x, index: index, axis: 0),
      y: quantized(sensor.y, index: index, axis: 1),
      z: quantized(sensor.z, index: index, axis: 2))
  }

  func inRig(_ reading: Acceleration) -> Acceleration { mountMatrix.applied(to: reading) }

  func nonsense(index: UInt64) -> Acceleration {
    index.isMultiple(of: 2)
      ? Acceleration(x: .nan, y: .nan, z: .nan)
      : Acceleration(x: 1e9, y: -1e9, z: 1e9)
  }

  private func quantized(_ value: Double, index: UInt64, axis: UInt64) -> Double {
    let noise = Double(SplitMix64.hash(seed, index, axis) % 5) - 2
    return ((value / Readings.step).rounded() + noise) * Readings.step
  }
}

extension MountMatrix {
  /// The inverse matrix; the matrix itself when it is singular.
  var inverse: MountMatrix {
    let m = elements
    func cofactor(_ a: Int, _ b: Int, _ c: Int, _ d: Int) -> Double { m[a] * m[d] - m[b] * m[c] }
    let first = (cofactor(4, 5, 7, 8), -cofactor(3, 5, 6, 8), cofactor(3, 4, 6, 7))
    let determinant = m[0] * first.0 + m[1] * first.1 + m[2] * first.2
    guard abs(determinant) > 1e-9 else { return self }
    let second = (-cofactor(1, 2, 7, 8), cofactor(0, 2, 6, 8), -cofactor(0, 1, 6, 7))
    let third = (cofactor(1, 2, 4, 5), -cofactor(0, 2, 3, 5), cofactor(0, 1, 3, 4))
    return MountMatrix(
      rows: (first.0 / determinant, second.0 / determinant, third.0 / determinant),
      (first.1 / determinant, second.1 / determinant, third.1 / determinant),
      (first.2 / determinant, second.2 / determinant, third.2 / determinant))
  }
}
