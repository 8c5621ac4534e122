package import Devices

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Derives from gravity, or from the text on the page, the angle that turns pictures upright.
///
/// | the rig is turned | acceleration (m/s²) | up in the picture | angle | EXIF Orientation |
/// |---|---|---|---|---|
/// | not at all | (0, +9.8, 0) | top | 0 | 1 |
/// | 90° clockwise | (−9.8, 0, 0) | left | 90 | 6 |
/// | 180° | (0, −9.8, 0) | bottom | 180 | 3 |
/// | 270° clockwise | (+9.8, 0, 0) | right | 270 | 8 |
///
/// Turns are as the operator sees them, from behind the camera. An angle changes only when
/// ``agreement`` readings in a row have passed the diagonal by ``hysteresis`` degrees. A rig that
/// lies flat, or is shaken, keeps the last angle, until the text of a picture tells another one.
/// Gravity takes over again as soon as it can tell.
package struct RotationCoordinator: Sendable {
  /// The degrees beyond the diagonal at which the angle changes, 0..<45.
  package static let hysteresis = 10.0
  /// The tilt out of the horizontal, in degrees, below which a rig counts as lying flat.
  package static let flatTilt = 25.0
  /// The shortest and longest acceleration, in standard gravities, that can be gravity alone.
  package static let plausibleGravity = 0.7...1.3
  /// The number of readings in a row that must agree before the angle changes.
  ///
  /// A single reading spoiled by a knock or a spike on the bus turns no picture.
  package static let agreement = 2
  /// The time that angles are remembered for frames that are still on their way.
  package static let memory = Duration.seconds(5)
  /// The time for which gravity counts as the source while the sensor is shaken or silent.
  package static let holdTime = Duration.seconds(3)

  /// The clockwise angle by which the camera is turned in the rig: 0, 90, 180 or 270.
  package let mountingAngle: Int
  /// The clockwise angle by which the sensor's pictures still have to be turned: 0, 90, 180 or 270.
  package var streamAngle = 0
  /// The angle without that of camera and sensor.
  private var heldAngle = 0
  /// The source of the angle: gravity as long as it can tell, never text.
  package private(set) var source = OrientationSource.fixed
  /// The time of the last reading that decided or confirmed the angle.
  private var confirmed: MonotonicInstant?
  /// The time of the newest picture whose text was read.
  private var textTime: MonotonicInstant?
  /// A different angle, the time of its first reading, and the number of readings in a row.
  private var candidate: (angle: Int, since: MonotonicInstant, count: Int)?
  private var history: [(time: MonotonicInstant, angle: Int, source: OrientationSource)] = []

  /// Makes a coordinator without a reading that takes the rig as upright.
  package init(mountingAngle: Int) {
    self.mountingAngle = ((mountingAngle % 360) + 360) % 360 / 90 * 90
  }

  /// Takes a reading and returns whether the angle changed.
  ///
  /// The first reading needs no second one. A change holds from the first of the readings that
  /// agree. Readings that cannot be gravity do not count.
  @discardableResult
  package mutating func update(_ sample: AccelerometerSample) -> Bool {
    let before = heldAngle
    switch direction(of: sample.acceleration) {
    case .angle(let angle): consider(angle, at: sample.time)
    case .flat: source = .kept
    case .unknown: keep(at: sample.time)
    }
    history.append((sample.time, heldAngle, source))
    let oldest = sample.time.advanced(by: .zero - RotationCoordinator.memory)
    history.removeAll { $0.time < oldest }
    return heldAngle != before
  }

  /// Takes the angle that the text of a picture tells, and returns whether the angle changed.
  ///
  /// The angle is kept until gravity can tell, and does not count where gravity can. A picture that
  /// is older than the last one, whose reading has taken longer, does not count either.
  ///
  /// - Parameters:
  ///   - textAngle: the clockwise angle that turns the camera's picture upright, a multiple of 90.
  ///   - instant: the midpoint of the picture's exposure.
  @discardableResult
  package mutating func update(textAngle: Int, at instant: MonotonicInstant) -> Bool {
    guard captureOrientation(at: instant).source != .gravity,
      textTime.map({ $0 <= instant }) ?? true
    else { return false }
    textTime = instant
    let before = heldAngle
    let angle = ((textAngle - previewAngle) % 360 + 360) % 360
    let first = history.lastIndex { $0.time <= instant } ?? history.startIndex
    for index in history.indices.dropFirst(first) {
      if index > first, history[index].source == .gravity { return false }
      history[index].angle = angle
      history[index].source = .kept
    }
    (heldAngle, source) = (angle, .kept)
    return heldAngle != before
  }

  private mutating func consider(_ angle: Int, at time: MonotonicInstant) {
    guard angle != heldAngle || source != .gravity else {
      candidate = nil
      return confirmed = time
    }
    let earlier = candidate.flatMap { $0.angle == angle ? $0 : nil }
    let since = earlier?.since ?? time
    let count = (earlier?.count ?? 0) + 1
    guard count >= RotationCoordinator.agreement || history.isEmpty else {
      candidate = (angle, since, count)
      return keep(at: time)
    }
    candidate = nil
    (heldAngle, source, confirmed) = (angle, .gravity, time)
    for index in history.indices where history[index].time >= since {
      history[index].angle = angle
      history[index].source = .gravity
    }
  }

  /// Keeps the angle, whose source is gravity for some time yet.
  private mutating func keep(at time: MonotonicInstant) {
    if source == .gravity, let confirmed,
      confirmed.duration(to: time) <= RotationCoordinator.holdTime
    {
      return
    }
    source = .kept
  }

  /// The angle that a reading shows.
  private enum Direction {
    case angle(Int)
    /// The rig lies flat, so that gravity says nothing.
    case flat
    /// The reading cannot be gravity alone.
    case unknown
  }

  private func direction(of acceleration: Acceleration) -> Direction {
    let gravities = acceleration.magnitude / Acceleration.standardGravity
    guard RotationCoordinator.plausibleGravity.contains(gravities) else { return .unknown }
    let inPlane = (acceleration.x * acceleration.x + acceleration.y * acceleration.y).squareRoot()
    let tilt = atan2(inPlane, abs(acceleration.z)) * 180 / .pi
    guard tilt >= RotationCoordinator.flatTilt else { return .flat }
    let direction = atan2(-acceleration.x, acceleration.y) * 180 / .pi
    let deviation = RotationCoordinator.signedDifference(direction, Double(heldAngle))
    guard abs(deviation) > 45 + RotationCoordinator.hysteresis else { return .angle(heldAngle) }
    return .angle((Int((direction / 90).rounded()) * 90 + 360) % 360)
  }

  private static func signedDifference(_ angle: Double, _ other: Double) -> Double {
    let difference = (angle - other).truncatingRemainder(dividingBy: 360)
    return difference > 180 ? difference - 360 : difference < -180 ? difference + 360 : difference
  }

  /// The clockwise angle by which a picture taken now has to be turned to be upright.
  package var captureAngle: Int { (heldAngle + previewAngle) % 360 }

  /// The clockwise angle by which a preview has to be turned on a display fixed to the rig.
  ///
  /// The display turns with the rig, so only the camera's mounting and its sensor count.
  package var previewAngle: Int { (mountingAngle + streamAngle) % 360 }

  /// Returns the capture angle at an instant; the oldest remembered one for earlier instants.
  package func captureAngle(at instant: MonotonicInstant) -> Int {
    captureOrientation(at: instant).angle
  }

  /// Returns the capture angle at an instant with its source, which is never text.
  package func captureOrientation(
    at instant: MonotonicInstant
  ) -> (angle: Int, source: OrientationSource) {
    guard let held = history.last(where: { $0.time <= instant }) ?? history.first else {
      return (captureAngle, source)
    }
    // No event tells that the sensor has fallen silent.
    let isSilent =
      held.source == .gravity && held.time.duration(to: instant) > RotationCoordinator.holdTime
    return ((held.angle + previewAngle) % 360, isSilent ? .kept : held.source)
  }
}
