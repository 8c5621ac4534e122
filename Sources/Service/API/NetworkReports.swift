import API
import Devices

/// The reports of the rig's connections, for all callers, one at a time.
///
/// A caller during an examination gets its report. A caller soon afterwards gets the same report.
/// Many callers therefore send no more probes than one.
actor NetworkReports {
  /// The time for which a report is repeated.
  static let keptFor = Duration.seconds(2)

  private let clock: any MonotonicClock
  private var making: Task<NetworkReport, Never>?
  private var latest: (report: NetworkReport, time: MonotonicInstant)?

  /// Makes an empty memory of reports.
  ///
  /// - Parameter clock: the clock that measures the age of a report.
  init(clock: any MonotonicClock) { self.clock = clock }

  /// Returns the report in progress, the latest report while it is recent, or a new report.
  ///
  /// - Parameter make: the function that makes a new report.
  func report(_ make: @escaping @Sendable () async -> NetworkReport) async -> NetworkReport {
    if let making { return await making.value }
    if let latest, latest.time.duration(to: clock.now) < Self.keptFor { return latest.report }
    let task = Task { await self.keep(make) }
    making = task
    return await task.value
  }

  private func keep(_ make: @Sendable () async -> NetworkReport) async -> NetworkReport {
    let report = await make()
    latest = (report, clock.now)
    making = nil
    return report
  }
}
