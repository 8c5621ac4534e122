public import Devices

/// A step of one capture (the calls of `AVCapturePhotoCaptureDelegate`, as values).
///
/// Captures overlap: ``uniqueID`` keeps their steps apart. Of one capture the steps come in the
/// order of ``Step``'s cases and end with exactly one ``Step/finished(_:)``; a press that was
/// refused before its frame was chosen has that step alone, or only those before it.
public struct CaptureProgress: Sendable, Hashable {
  /// What happened.
  public enum Step: Sendable, Hashable {
    /// It is fixed what the capture will give.
    case settingsResolved(ResolvedPhotoSettings)
    /// The exposure of the first row began then. With zero shutter lag that is in the past.
    case exposureBegan(at: MonotonicInstant)
    /// The exposure of the last row ended then.
    case exposureEnded(at: MonotonicInstant)
    /// A file is on stable storage: number `index` of `count`.
    case photoDelivered(PhotoDelivery, count: Int)
    /// The capture is over.
    case finished(PressOutcome)
  }

  /// The press's number.
  public var uniqueID: Int64
  /// What happened.
  public var step: Step

  /// Makes a step of a capture.
  public init(uniqueID: Int64, step: Step) {
    self.uniqueID = uniqueID
    self.step = step
  }
}

/// Keeps the steps of one capture in their order, whatever those who report them do.
public struct CaptureProgressMachine: Sendable, Hashable {
  /// The press's number.
  public let uniqueID: Int64
  private var rank = 0
  private var deliveredCount = 0
  private var expectedCount = 0

  /// Makes the machine of a capture of which nothing has happened.
  public init(uniqueID: Int64) {
    self.uniqueID = uniqueID
  }

  /// Whether the capture is over.
  public var isFinished: Bool { rank == 5 }

  /// Takes a step.
  ///
  /// - Returns: the event to send, or `nil` when the step comes too late or was there already.
  public mutating func take(_ step: CaptureProgress.Step) -> CaptureProgress? {
    let next: Int
    switch step {
    case .settingsResolved(let settings):
      next = 1
      expectedCount = settings.expectedPhotoCount
    case .exposureBegan: next = 2
    case .exposureEnded: next = 3
    case .photoDelivered:
      // Only from an exposed frame, and never more than were announced.
      guard rank == 3 || rank == 4, deliveredCount < expectedCount else { return nil }
      deliveredCount += 1
      rank = 4
      return CaptureProgress(uniqueID: uniqueID, step: step)
    case .finished: next = 5
    }
    guard next > rank, next == rank + 1 || next == 5 else { return nil }
    rank = next
    return CaptureProgress(uniqueID: uniqueID, step: step)
  }
}
