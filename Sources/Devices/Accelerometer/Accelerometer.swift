/// Acceleration along the three axes of the rig in m/s², after the sensor's mount matrix.
///
/// A rig at rest measures the reaction to gravity: about +9.81 along the axis that points up.
public struct Acceleration: Sendable, Hashable {
  /// Along the rig's x axis, to the right as seen by the operator, in m/s².
  public var x: Double
  /// Along the rig's y axis, to the top edge of an upright picture, in m/s².
  public var y: Double
  /// Along the rig's z axis, from the scene towards the operator, in m/s².
  public var z: Double

  /// Makes an acceleration from its three parts in m/s².
  public init(x: Double, y: Double, z: Double) {
    self.x = x
    self.y = y
    self.z = z
  }

  /// The length of the vector in m/s².
  public var magnitude: Double { (x * x + y * y + z * z).squareRoot() }

  /// Standard gravity in m/s² (ISO 80000-3).
  public static let standardGravity = 9.80665
}

/// One reading of an accelerometer.
public struct AccelerometerSample: Sendable, Hashable {
  /// The acceleration in the rig's axes.
  public var acceleration: Acceleration
  /// The same in the sensor's axes, before the mount matrix.
  public var sensor: Acceleration
  /// When it was taken.
  public var time: MonotonicInstant

  /// Makes a sample.
  ///
  /// - Parameter sensor: the acceleration in the sensor's axes; those of the rig for `nil`.
  public init(acceleration: Acceleration, sensor: Acceleration? = nil, time: MonotonicInstant) {
    self.acceleration = acceleration
    self.sensor = sensor ?? acceleration
    self.time = time
  }
}

/// What an accelerometer says.
public enum AccelerometerEvent: Sendable, Hashable {
  /// A reading.
  case sample(AccelerometerSample)
  /// Reading failed; the driver goes on trying, and the next sample says that it works again.
  case failed(DeviceError)
}

/// An accelerometer with its mount matrix (Linux IIO).
public protocol Accelerometer: Sendable {
  /// The device as people know it, for example `lis3dh`.
  var name: String { get }

  /// Starts sampling; a second call ends the first stream. The newest 64 events are kept.
  ///
  /// - Parameter rate: wanted samples a second, 1...100; the sensor's closest is taken.
  /// - Throws: ``DeviceError``: `absent`, `permissionDenied` or `busy`.
  func start(rate: Double) async throws(DeviceError) -> AsyncStream<AccelerometerEvent>

  /// Stops sampling and ends the stream.
  func stop() async
}
