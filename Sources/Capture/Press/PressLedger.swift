public import Devices

/// What is known of a press from its edge to its outcome.
public struct PressRecord: Sendable, Hashable {
  /// The press.
  public var press: Press
  /// What the readiness was when the press came; `nil` when nobody looked.
  public var readiness: Readiness.State?
  /// What became of it; `nil` while it is in flight.
  public var outcome: PressOutcome?
  /// The frame that was taken.
  public var frame: FrameInfo?
  /// How far the frame's exposure midpoint lies behind the press; negative when before it.
  public var selectionError: Duration?
  /// The time from one frame to the next when the press was taken.
  public var frameInterval: Duration?
  /// The clockwise angle by which the picture has to be turned to be upright: 0, 90, 180 or 270.
  public var captureAngle: Int?
  /// From the press to the frame's choice.
  public var pressToFrame: Duration?
  /// From the press to stable storage.
  public var pressToStored: Duration?

  /// Makes the record of a press in flight.
  public init(press: Press, readiness: Readiness.State? = nil) {
    self.press = press
    self.readiness = readiness
  }
}

/// Every press of this run of the service, each with exactly one outcome.
///
/// Finished records are kept up to a limit, the newest first to stay; presses in flight are never
/// forgotten.
public struct PressLedger: Sendable {
  /// How many finished records are kept.
  public let limit: Int
  /// Finished presses of this run that were stored.
  public private(set) var storedCount = 0
  /// Presses of this run that were refused, with those that got no number.
  public private(set) var refusedCount = 0
  private var records: [Int64: PressRecord] = [:]
  private var finished: [Int64] = []

  /// Makes an empty ledger.
  public init(limit: Int = 1000) {
    self.limit = limit
  }

  /// The number of presses without an outcome.
  public var inFlightCount: Int { records.count - finished.count }

  /// Enters a press.
  ///
  /// - Parameters:
  ///   - press: the press.
  ///   - readiness: what the readiness was when it came.
  /// - Precondition: its number has not been entered before.
  public mutating func begin(_ press: Press, readiness: Readiness.State? = nil) {
    precondition(records[press.number] == nil, "press \(press.number) was entered twice")
    records[press.number] = PressRecord(press: press, readiness: readiness)
  }

  /// Counts a press that could not even be numbered: there is no record of it.
  public mutating func refuseWithoutNumber() {
    refusedCount += 1
  }

  /// Notes which frame was taken for a press in flight.
  public mutating func select(_ selection: FrameSelection, captureAngle: Int, now: MonotonicInstant)
  {
    guard var record = records[selection.number], record.outcome == nil else { return }
    record.frame = selection.frame
    record.selectionError = selection.error
    record.frameInterval = selection.frameInterval
    record.captureAngle = captureAngle
    record.pressToFrame = record.press.time.duration(to: now)
    records[selection.number] = record
  }

  /// Gives a press its outcome.
  ///
  /// - Returns: the finished record, or `nil` when the press already has an outcome: the first one
  ///   stays.
  @discardableResult
  public mutating func finish(
    _ number: Int64, _ outcome: PressOutcome, now: MonotonicInstant
  ) -> PressRecord? {
    guard var record = records[number], record.outcome == nil else { return nil }
    record.outcome = outcome
    switch outcome {
    case .stored:
      record.pressToStored = record.press.time.duration(to: now)
      storedCount += 1
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

  /// The record of a press; `nil` when there is none or it has been forgotten.
  public subscript(number: Int64) -> PressRecord? { records[number] }

  /// The newest records, the newest first.
  public func latest(_ count: Int) -> [PressRecord] {
    records.values.sorted { $0.press.number > $1.press.number }.prefix(max(0, count)).map { $0 }
  }
}
