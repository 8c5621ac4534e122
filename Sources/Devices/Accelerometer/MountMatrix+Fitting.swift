import Glibc

/// The fit of a mount matrix to known directions.
extension MountMatrix {
  /// A direction in the sensor's and in the rig's axes; lengths do not count.
  package struct Direction: Sendable, Hashable {
    /// The direction in the sensor's axes.
    package var sensor: Acceleration
    /// The direction in the rig's axes.
    package var rig: Acceleration

    package init(sensor: Acceleration, rig: Acceleration) {
      self.sensor = sensor
      self.rig = rig
    }
  }

  /// Makes the rotation that brings measured directions nearest to the true ones.
  ///
  /// Nearest is meant in the sense of least squares. The task is Wahba's problem (SIAM Review 7,
  /// 1965) in B. Horn's closed form ("Closed-form solution of absolute orientation using unit
  /// quaternions", J. Opt. Soc. Am. A 4, 1987). The eigenvector of the greatest eigenvalue of a
  /// symmetric 4 × 4 matrix is the rotation as a quaternion. So the result is always a rotation,
  /// even for directions that contradict each other.
  ///
  /// - Returns: `nil` when the directions leave the rotation open: fewer than two, all along one
  ///   line, or not finite.
  package init?(fitting directions: [Direction]) {
    var sums = [[Double]](repeating: [0, 0, 0], count: 3)
    for direction in directions {
      guard let sensor = direction.sensor.unit, let rig = direction.rig.unit else { return nil }
      for row in 0..<3 {
        for column in 0..<3 { sums[row][column] += sensor[row] * rig[column] }
      }
    }
    let (xx, xy, xz) = (sums[0][0], sums[0][1], sums[0][2])
    let (yx, yy, yz) = (sums[1][0], sums[1][1], sums[1][2])
    let (zx, zy, zz) = (sums[2][0], sums[2][1], sums[2][2])
    let (values, vectors) = SymmetricMatrix.eigenvectors(of: [
      [xx + yy + zz, yz - zy, zx - xz, xy - yx],
      [yz - zy, xx - yy - zz, xy + yx, zx + xz],
      [zx - xz, xy + yx, yy - xx - zz, yz + zy],
      [xy - yx, zx + xz, yz + zy, zz - xx - yy],
    ])
    let order = values.indices.sorted { values[$0] > values[$1] }
    // Two equally great eigenvalues leave a turn open.
    guard values[order[0]] - values[order[1]] > 0.05 else { return nil }
    self.init(quaternion: vectors[order[0]])
  }

  /// Makes the rotation of a unit quaternion: w, x, y, z.
  init(quaternion q: [Double]) {
    let (w, x, y, z) = (q[0], q[1], q[2], q[3])
    self.init(
      rows: (w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y)),
      (2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x)),
      (2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z))
  }

  /// The 24 rotations that put each axis on an axis.
  package static let axisRotations: [MountMatrix] = {
    let orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]]
    let signs = (0..<8).map { bits in (0..<3).map { bits >> $0 & 1 == 0 ? 1.0 : -1 } }
    return orders.flatMap { order in
      signs.compactMap { signs in
        let rows = (0..<3).map { row in (0..<3).map { $0 == order[row] ? signs[row] : 0 } }
        let matrix = MountMatrix(
          rows: (rows[0][0], rows[0][1], rows[0][2]), (rows[1][0], rows[1][1], rows[1][2]),
          (rows[2][0], rows[2][1], rows[2][2]))
        return matrix.determinant > 0 ? matrix : nil
      }
    }
  }()

  /// The rotation of ``axisRotations`` that is nearest to this one.
  package var nearestAxisRotation: MountMatrix {
    MountMatrix.axisRotations.min { angle(to: $0) < angle(to: $1) } ?? .identity
  }

  /// Returns the angle in degrees, 0...180, between two rotations.
  package func angle(to other: MountMatrix) -> Double {
    // The trace of one times the other's inverse, which is its transpose.
    let trace = zip(elements, other.elements).reduce(0) { $0 + $1.0 * $1.1 }
    return acos(min(max((trace - 1) / 2, -1), 1)) * 180 / .pi
  }

  /// The matrix as the kernel prints it, with at most four decimals (a hundredth of a degree).
  package var kernelText: String {
    let numbers = elements.map { element in
      let tenThousandths = Int((element * 1e4).rounded())
      let sign = tenThousandths < 0 ? "-" : ""
      let (whole, fraction) = abs(tenThousandths).quotientAndRemainder(dividingBy: 10_000)
      guard fraction != 0 else { return "\(sign)\(whole)" }
      let digits = "\(fraction)"
      return "\(sign)\(whole)." + String(repeating: "0", count: 4 - digits.count) + digits
    }
    return (0..<3).map { numbers[(3 * $0)..<(3 * $0 + 3)].joined(separator: ", ") }
      .joined(separator: "; ")
  }
}

extension Acceleration {
  /// Returns the angle in degrees, 0...180, between two directions; NaN for one without length.
  package func angle(to other: Acceleration) -> Double {
    let cosine = (x * other.x + y * other.y + z * other.z) / (magnitude * other.magnitude)
    return acos(min(max(cosine, -1), 1)) * 180 / .pi
  }

  /// The direction with the length 1; `nil` for a zero or non-finite vector.
  fileprivate var unit: [Double]? {
    let length = magnitude
    guard length.isFinite, length > 1e-9 else { return nil }
    return [x / length, y / length, z / length]
  }
}

/// The eigenvalues and eigenvectors of a small symmetric matrix.
///
/// The algorithm is Jacobi's rotations (Golub and Van Loan, "Matrix Computations", 8.5).
private enum SymmetricMatrix {
  static func eigenvectors(
    of matrix: [[Double]]
  ) -> (values: [Double], vectors: [[Double]]) {
    var a = matrix
    let count = a.count
    // Each row becomes an eigenvector.
    var v = (0..<count).map { row in (0..<count).map { $0 == row ? 1.0 : 0 } }
    for _ in 0..<50 {
      var rest = 0.0
      for row in 0..<count {
        for column in row + 1..<count {
          rest += a[row][column] * a[row][column]
          rotate(&a, &v, row, column)
        }
      }
      if rest < 1e-24 { break }
    }
    return ((0..<count).map { a[$0][$0] }, v)
  }

  /// Makes an element outside of the diagonal zero.
  private static func rotate(_ a: inout [[Double]], _ v: inout [[Double]], _ p: Int, _ q: Int) {
    guard abs(a[p][q]) > 1e-300 else { return }
    let tau = (a[q][q] - a[p][p]) / (2 * a[p][q])
    let t = (tau >= 0 ? 1 : -1) / (abs(tau) + (1 + tau * tau).squareRoot())
    let c = 1 / (1 + t * t).squareRoot()
    let s = t * c
    for k in a.indices {
      (a[k][p], a[k][q]) = (c * a[k][p] - s * a[k][q], s * a[k][p] + c * a[k][q])
    }
    for k in a.indices {
      (a[p][k], a[q][k]) = (c * a[p][k] - s * a[q][k], s * a[p][k] + c * a[q][k])
      (v[p][k], v[q][k]) = (c * v[p][k] - s * v[q][k], s * v[p][k] + c * v[q][k])
    }
  }
}
