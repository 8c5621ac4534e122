public import Devices

/// Guides somebody through the positions of ``LevelPose``, by what the accelerometer measures.
///
/// No key is needed, so that both hands are free: a position counts when the rig has rested in it,
/// and the next must be at about a right angle to all before.
public struct LevelGuide: Sendable {
  /// What there is to tell.
  public enum Note: Sendable, Hashable {
    /// The next position is wanted.
    case wanted(LevelPose)
    /// A position was taken: its noise in m/s².
    case taken(LevelPose, noise: Double)
    /// The rig rests, but not in the wanted position: the angle to a position before, in degrees.
    case notThere(LevelPose, degrees: Double, from: LevelPose)
    /// What is measured at rest is not gravity: its length in m/s².
    case implausible(magnitude: Double)
    /// All positions were taken, and this is what came of it.
    case finished(LevelResult)
    /// It comes to nothing; why, in a sentence.
    case failed(String)
  }

  /// How long the first position may take to be corrected before it counts.
  public static let firstPause = Duration.seconds(3)
  /// How long nothing may come of a position.
  public static let patience = Duration.seconds(180)

  private var detector = RestDetector()
  private var taken: [(pose: LevelPose, mean: Acceleration, noise: Double)] = []
  private var wanted: LevelPose?
  private var since: MonotonicInstant?
  private var lastHint: Note?
  private var newest: MonotonicInstant?
  private var isOver = false

  /// Begins with the first position.
  public init() {}

  /// Takes a reading in the sensor's axes; one that was taken before says nothing.
  ///
  /// - Returns: what there is to tell, in order.
  public mutating func take(_ sensor: Acceleration, at time: MonotonicInstant) -> [Note] {
    guard !isOver, newest.map({ $0 < time }) ?? true else { return [] }
    newest = time
    guard let since, let pose = wanted else {
      self.since = time
      return begin(.level, at: time)
    }
    let state = detector.add(sensor, at: time)
    guard since.duration(to: time) < Self.patience else {
      isOver = true
      return [
        .failed(
          "The rig was not laid in the position \"\(pose.rawValue)\" within "
            + "\(Self.patience.components.seconds) s; nothing was changed.")
      ]
    }
    switch state {
    case .gathering: return []
    case .moving:
      // Whoever moves the rig is at it: what was told may be told again afterwards.
      lastHint = nil
      return []
    case .implausible(let magnitude):
      return hint(.implausible(magnitude: magnitude))
    case .resting(let mean, let noise):
      guard !taken.isEmpty || since.duration(to: time) >= Self.firstPause else { return [] }
      for earlier in taken {
        let degrees = mean.angle(to: earlier.mean)
        guard abs(degrees - 90) <= LevelResult.largestSkew else {
          // Where it still is as before, nothing has happened yet.
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

  /// A hint is given once until the rig is moved.
  private mutating func hint(_ note: Note) -> [Note] {
    switch (note, lastHint) {
    case (.notThere, .notThere), (.implausible, .implausible): return []
    default:
      lastHint = note
      return [note]
    }
  }
}
