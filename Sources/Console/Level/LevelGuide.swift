package import Devices

/// A guide through the positions of ``LevelPose``, based on the accelerometer's readings.
///
/// No key is needed, so both hands are free. A position counts when the rig has rested in it. Each
/// position must be at about a right angle to all earlier ones.
package struct LevelGuide: Sendable {
  /// A message to the technician.
  package enum Note: Sendable, Hashable {
    /// The guide requests a position.
    case wanted(LevelPose)
    /// A position was recorded, with its noise in m/s².
    case taken(LevelPose, noise: Double)
    /// The rig rests, but not at a right angle to an earlier position; the angle is in degrees.
    case notThere(LevelPose, degrees: Double, from: LevelPose)
    /// The acceleration at rest, with this magnitude in m/s², is not gravity.
    case implausible(magnitude: Double)
    /// All positions were recorded and give this result.
    case finished(LevelResult)
    /// The procedure failed; the text gives the reason in a sentence.
    case failed(String)
  }

  /// The time in which the first position can be corrected before it counts.
  package static let firstPause = Duration.seconds(3)
  /// The time limit for each position.
  package static let timeout = Duration.seconds(180)

  private var detector = RestDetector()
  private var taken: [(pose: LevelPose, mean: Acceleration, noise: Double)] = []
  private var wanted: LevelPose?
  private var since: MonotonicInstant?
  private var lastHint: Note?
  private var newest: MonotonicInstant?
  private var isOver = false

  /// Begins with the first position.
  package init() {}

  /// Takes a reading in the sensor's axes; ignores one no newer than the last.
  ///
  /// - Returns: the new messages, in order.
  package mutating func take(_ sensor: Acceleration, at time: MonotonicInstant) -> [Note] {
    guard !isOver, newest.map({ $0 < time }) ?? true else { return [] }
    newest = time
    guard let since, let pose = wanted else {
      self.since = time
      return begin(.level, at: time)
    }
    let state = detector.add(sensor, at: time)
    guard since.duration(to: time) < Self.timeout else {
      isOver = true
      return [
        .failed(
          "The rig was not laid in the position \"\(pose.rawValue)\" within "
            + "\(Self.timeout.components.seconds) s; nothing was changed.")
      ]
    }
    switch state {
    case .gathering: return []
    case .moving:
      // A moving rig is being handled, so an earlier hint may be repeated afterwards.
      lastHint = nil
      return []
    case .implausible(let magnitude):
      return hint(.implausible(magnitude: magnitude))
    case .resting(let mean, let noise):
      guard !taken.isEmpty || since.duration(to: time) >= Self.firstPause else { return [] }
      for earlier in taken {
        let degrees = mean.angle(to: earlier.mean)
        guard abs(degrees - 90) <= LevelResult.largestSkew else {
          // A rig still in the previous position has not been moved yet.
          return degrees < LevelResult.largestSkew && earlier.pose == taken.last?.pose
            ? [] : hint(.notThere(pose, degrees: degrees, from: earlier.pose))
        }
      }
      taken.append((pose, mean, noise))
      return [.taken(pose, noise: noise)] + next(at: time)
    }
  }

  private mutating func next(at time: MonotonicInstant) -> [Note] {
    let left = LevelPose.allCases.first { pose in !taken.contains { $0.pose == pose } }
    if let left { return begin(left, at: time) }
    isOver = true
    do throws(LevelResult.Refusal) {
      return [.finished(try LevelResult(taken))]
    } catch {
      return [.failed(error.description)]
    }
  }

  private mutating func begin(_ pose: LevelPose, at time: MonotonicInstant) -> [Note] {
    wanted = pose
    since = time
    lastHint = nil
    detector.reset()
    return [.wanted(pose)]
  }

  /// Returns a hint once until the rig is moved.
  private mutating func hint(_ note: Note) -> [Note] {
    switch (note, lastHint) {
    case (.notThere, .notThere), (.implausible, .implausible): return []
    default:
      lastHint = note
      return [note]
    }
  }
}
