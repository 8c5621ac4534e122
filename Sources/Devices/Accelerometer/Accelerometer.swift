/// Acceleration along the three axes of the rig in m/s², after the sensor's mount matrix.
///
/// A rig at rest measures the reaction to gravity: about +9.81 along the axis that points up.
package struct Acceleration: Sendable, Hashable {
  /// The part along the rig's x axis, to the right as seen by the operator, in m/s².
  package var x: Double
  /// The part along the rig's y axis, to the top edge of an upright picture, in m/s².
  package var y: Double
  /// The part along the rig's z axis, from the scene toward the operator, in m/s².
  package var z: Double

  /// Makes an acceleration from its three parts in m/s².
  package init(x: Double, y: Double, z: Double) {
    self.x = x
    self.y = y
    self.z = z
  }

  /// The length of the vector in m/s².
  package var magnitude: Double { (x * x + y * y + z * z).squareRoot() }

  /// Standard gravity in m/s² (ISO 80000-3).
  package static let standardGravity = 9.80665
}

/// A reading of an accelerometer.
package struct AccelerometerSample: Sendable, Hashable {
  /// The acceleration in the rig's axes.
  package var acceleration: Acceleration
  /// The same acceleration in the sensor's axes, before the mount matrix.
  package var sensor: Acceleration
  /// The time of the reading.
  package var time: MonotonicInstant

  /// Makes a sample.
  ///
  /// - Parameter sensor: the acceleration in the sensor's axes; those of the rig for `nil`.
  package init(acceleration: Acceleration, sensor: Acceleration? = nil, time: MonotonicInstant) {
    self.acceleration = acceleration
    self.sensor = sensor ?? acceleration
    self.time = time
  }
}

/// An event of an accelerometer.
package enum AccelerometerEvent: Sendable, Hashable {
  /// A reading.
  case sample(AccelerometerSample)
  /// Reading failed; the driver retries, and the next sample means that it works again.
  case failed(DeviceError)
}

/// An accelerometer with its mount matrix (Linux IIO).
package protocol Accelerometer: Sendable {
  /// The device's display name, for example `lis3dh`.
  var name: String { get }

  /// Starts sampling; a second call ends the first stream. The newest 64 elements are kept.
  ///
  /// Each element holds the events since the one before, at least one of them, the oldest first. A
  /// sample waits in the driver for a quarter of a second and one sample period at most. A fault
  /// is the last event of its element. A fault, and the first sample after it, come at once.
  ///
  /// - Parameter rate: the wanted samples per second, 1...100; the sensor's closest rate is used.
  /// - Throws: ``DeviceError``: `absent`, `permissionDenied` or `busy`.
  func start(rate: Double) async throws(DeviceError) -> AsyncStream<[AccelerometerEvent]>

  /// Delivers the samples until now at once; does nothing while the sensor does not sample.
  func flush() async

  /// Stops sampling and ends the stream.
  func stop() async
}
