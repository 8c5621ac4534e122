import API
import Devices

/// Finds out how the rig is connected, for all who ask, once at a time.
///
/// Whoever asks while it is being found out gets that, and whoever asks soon afterwards gets it again,
/// so that many who ask send no more probes than one.
actor NetworkReports {
  /// How long a report is given again.
  static let keptFor = Duration.seconds(2)

  private let clock: any MonotonicClock
  private var making: Task<NetworkReport, Never>?
  private var latest: (report: NetworkReport, time: MonotonicInstant)?

  /// Makes reports of the network.
  ///
  /// - Parameter clock: what the age of a report is measured with.
  init(clock: any MonotonicClock) { self.clock = clock }

  /// The report that is being made, the latest one while it is young, or a new one.
  ///
  /// - Parameter make: makes a new one.
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
