package import API

/// The stored files of one press among the events of a rig, counted for a progress bar.
///
/// The service announces the number of files, because its configuration decides about some. A press
/// counts from the announcement on; one that was announced before its events were read counts from
/// its first file on.
package struct PressProgress: Sendable, Hashable {
  /// A number of stored files.
  package struct Count: Sendable, Hashable {
    /// The number of files that are stored.
    package var stored: Int
    /// The number of files that are announced.
    package var announced: Int
  }

  private var press: Int64?
  private var isAnnounced = false

  package init() {}

  /// Makes the count of a press that wants several files; `nil` for a press that wants one.
  package init?(of settings: PressSettings) {
    guard settings.bracket != nil || settings.formats?.count ?? 1 > 1 else { return nil }
  }

  /// Takes a step of a capture.
  ///
  /// - Returns: the new count; `nil` for a step of another press, and for one that counts nothing.
  package mutating func take(_ report: CaptureProgressReport) -> Count? {
    guard let announced = report.count else { return nil }
    switch report.step {
    case .settingsResolved:
      guard !isAnnounced else { return nil }
      isAnnounced = true
      press = report.press
      return Count(stored: 0, announced: announced)
    case .photoDelivered:
      guard press == nil || press == report.press, let index = report.index else { return nil }
      press = report.press
      return Count(stored: index, announced: announced)
    case .exposureBegan, .exposureEnded, .captureFinished: return nil
    }
  }
}
