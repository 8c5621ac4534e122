package import Devices

/// The record of a press from its edge to its outcome.
package struct PressRecord: Sendable, Hashable {
  /// The press.
  package var press: Press
  /// The wanted bracket; `nil` for a single picture.
  package var bracket: Bracket?
  /// The readiness when the press came; `nil` when it was not read.
  package var readiness: CaptureReadiness?
  /// The outcome; `nil` while the press is in flight.
  package var outcome: PressOutcome?
  /// The frame that was taken.
  package var frame: FrameInfo?
  /// The time from the press to the frame's exposure midpoint; negative when before the press.
  ///
  /// The frame is the nearest one when the press was refused because it shows another moment.
  package var selectionError: Duration?
  /// The time between frames when the press was taken.
  package var frameInterval: Duration?
  /// The clockwise angle by which the picture has to be turned to be upright: 0, 90, 180 or 270.
  package var captureAngle: Int?
  /// The source of the angle; `nil` before a frame was chosen.
  package var orientationSource: OrientationSource?
  /// The decision about the lamp's light; `nil` without a lamp, and before a frame was chosen.
  package var flash: ResolvedFlash?
  /// Whether the frame was exposed in the lamp's light; `nil` where ``flash`` is.
  package var isFlashFired: Bool?
  /// The time from the press to the frame's choice.
  package var pressToFrame: Duration?
  /// The time from the press to stable storage.
  package var pressToStored: Duration?
}

/// The presses of this run of the service, each with exactly one outcome.
///
/// Finished records are kept up to a limit, and the oldest are dropped first. Presses in flight are
/// never dropped.
package struct PressLedger: Sendable {
  /// The maximum number of finished records kept.
  package let limit: Int
  /// The number of this run's presses that were stored.
  package private(set) var storedCount = 0
  /// The number of this run's presses that were refused, including those without a number.
  package private(set) var refusedCount = 0
  /// The number of this run's pictures with each warning about the page.
  package private(set) var warnedCounts: [PageWarning: Int] = [:]
  private var records: [Int64: PressRecord] = [:]
  private var finished: [Int64] = []

  package init(limit: Int = 1000) {
    self.limit = limit
  }

  /// The number of presses without an outcome.
  package var inFlightCount: Int { records.count - finished.count }

  /// Enters a press.
  ///
  /// - Parameters:
  ///   - press: the press.
  ///   - readiness: the readiness when the press came.
  ///   - bracket: the wanted bracket; `nil` for a single picture.
  /// - Precondition: the press's number has not been entered before.
  package mutating func begin(
    _ press: Press, readiness: CaptureReadiness? = nil, bracket: Bracket? = nil
  ) {
    precondition(records[press.number] == nil, "press \(press.number) was entered twice")
    records[press.number] = PressRecord(press: press, bracket: bracket, readiness: readiness)
  }

  /// Counts a refused press that could not be numbered and has no record.
  package mutating func refuseWithoutNumber() {
    refusedCount += 1
  }

  /// Notes the frame that was chosen for a press in flight.
  package mutating func select(
    _ selection: FrameSelection, of number: Int64, captureAngle: Int,
    orientationSource: OrientationSource? = nil, flash: ResolvedFlash? = nil, isLit: Bool = false,
    now: MonotonicInstant
  ) {
    guard var record = records[number], record.outcome == nil else { return }
    record.frame = selection.frame
    record.selectionError = selection.error
    record.frameInterval = selection.frameInterval
    record.captureAngle = captureAngle
    record.orientationSource = orientationSource
    record.flash = flash
    record.isFlashFired = flash.map { _ in isLit }
    record.pressToFrame = record.press.time.duration(to: now)
    records[number] = record
  }

  /// Notes the nearest frame of a press in flight, which shows another moment.
  package mutating func miss(_ nearest: FrameSelection, of number: Int64) {
    guard var record = records[number], record.outcome == nil else { return }
    record.selectionError = nearest.error
    record.frameInterval = nearest.frameInterval
    records[number] = record
  }

  /// Sets a press's outcome.
  ///
  /// - Returns: the finished record, or `nil` when the press already has an outcome, which stays.
  @discardableResult
  package mutating func finish(
    _ number: Int64, _ outcome: PressOutcome, now: MonotonicInstant
  ) -> PressRecord? {
    guard var record = records[number], record.outcome == nil else { return nil }
    record.outcome = outcome
    switch outcome {
    case .stored(let photo):
      record.captureAngle = photo.captureAngle ?? record.captureAngle
      record.orientationSource = photo.orientationSource ?? record.orientationSource
      record.pressToStored = record.press.time.duration(to: now)
      storedCount += 1
      for warning in photo.page?.warnings ?? [] { warnedCounts[warning, default: 0] += 1 }
    case .refused:
      refusedCount += 1
    }
    records[number] = record
    finished.append(number)
    if finished.count > limit {
      records[finished.removeFirst()] = nil
    }
    return record
  }

  /// The record of a press; `nil` when there is none or it has been dropped.
  package subscript(number: Int64) -> PressRecord? { records[number] }

  /// Returns the newest records, the newest first.
  package func latest(_ count: Int) -> [PressRecord] {
    records.values.sorted { $0.press.number > $1.press.number }.prefix(max(0, count)).map { $0 }
  }
}
