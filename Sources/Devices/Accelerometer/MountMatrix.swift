/// A mount matrix, which turns a sensor's axes into the rig's axes (IIO's `mount_matrix`).
package struct MountMatrix: Sendable, Hashable {
  /// The nine numbers, row by row.
  package let elements: [Double]

  /// The matrix that changes nothing.
  package static let identity = MountMatrix(rows: (1, 0, 0), (0, 1, 0), (0, 0, 1))

  /// Makes a matrix from its rows.
  package init(
    rows first: (Double, Double, Double), _ second: (Double, Double, Double),
    _ third: (Double, Double, Double)
  ) {
    elements = [
      first.0, first.1, first.2, second.0, second.1, second.2, third.0, third.1, third.2,
    ]
  }

  /// Reads a matrix as the kernel prints it: three rows split by `;`, numbers by `,`.
  ///
  /// - Returns: `nil` when the text is not nine finite numbers or the matrix is singular.
  package init?(kernelText: String) {
    let rows = kernelText.split(separator: ";", omittingEmptySubsequences: false)
    let numbers = rows.map { row in
      row.split(separator: ",", omittingEmptySubsequences: false).compactMap { number in
        Double(number.filter { !$0.isWhitespace })
      }
    }
    guard numbers.count == 3, numbers.allSatisfy({ $0.count == 3 }) else { return nil }
    let elements = Array(numbers.joined())
    guard elements.allSatisfy(\.isFinite) else { return nil }
    self.elements = elements
    guard abs(determinant) > 1e-6 else { return nil }
  }

  var determinant: Double {
    let m = elements
    return m[0] * (m[4] * m[8] - m[5] * m[7]) - m[1] * (m[3] * m[8] - m[5] * m[6])
      + m[2] * (m[3] * m[7] - m[4] * m[6])
  }

  /// Returns a reading in the sensor's axes turned into the rig's.
  package func applied(to sensor: Acceleration) -> Acceleration {
    let m = elements
    return Acceleration(
      x: m[0] * sensor.x + m[1] * sensor.y + m[2] * sensor.z,
      y: m[3] * sensor.x + m[4] * sensor.y + m[5] * sensor.z,
      z: m[6] * sensor.x + m[7] * sensor.y + m[8] * sensor.z)
  }
}
