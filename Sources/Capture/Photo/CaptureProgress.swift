package import Devices

/// A step of one capture (the calls of `AVCapturePhotoCaptureDelegate`, as values).
///
/// Captures overlap: ``uniqueID`` keeps their steps apart. The steps of one capture come in the
/// order of ``Step``'s cases and end with exactly one ``Step/finished(_:)``. A press that was
/// refused before its frame was chosen has that step alone, or only those before it.
package struct CaptureProgress: Sendable, Hashable {
  /// The kind of step.
  package enum Step: Sendable, Hashable {
    /// The capture's result is determined.
    case settingsResolved(ResolvedPhotoSettings)
    /// The exposure of the first row began at that time; with zero shutter lag it is in the past.
    case exposureBegan(at: MonotonicInstant)
    /// The exposure of the last row ended at that time.
    case exposureEnded(at: MonotonicInstant)
    /// A file is on stable storage: number `index` of `count`.
    case photoDelivered(PhotoDelivery, count: Int)
    /// The capture is over.
    case finished(PressOutcome)
  }

  /// The press's number.
  package var uniqueID: Int64
  /// The step.
  package var step: Step
}

/// Keeps the steps of one capture in order, in whatever order they are reported.
package struct CaptureProgressMachine: Sendable, Hashable {
  /// The press's number.
  package let uniqueID: Int64
  private var rank = 0
  private var deliveredCount = 0
  private var expectedCount = 0

  package init(uniqueID: Int64) {
    self.uniqueID = uniqueID
  }

  /// Takes a step.
  ///
  /// - Returns: the event to send, or `nil` when the step comes too late or is a repeat.
  package mutating func take(_ step: CaptureProgress.Step) -> CaptureProgress? {
    let next: Int
    switch step {
    case .settingsResolved(let settings):
      next = 1
      expectedCount = settings.expectedPhotoCount
    case .exposureBegan: next = 2
    case .exposureEnded: next = 3
    case .photoDelivered:
      // Only after the exposure's end, and never more than were announced.
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
