import API
import Capture
import Devices
import Doctor
import Logging
import RigConfiguration
import SimulatedDevices
import Spool
import Upload

/// The API's service, which answers from the values of the rig's parts.
struct RigModel: RigService {
  let rigID: String
  let board: PlatenConfiguration.BoardKind
  let session: CaptureSession
  let spool: Spool
  let spoolConfiguration: SpoolConfiguration
  let targets: [TargetFactory.Product]
  let monitor: RigMonitor
  let indicatorNames: [IndicatorRole: String]
  let world: SimulatedWorld?
  let clock: any MonotonicClock
  let startedAt: MonotonicInstant
  let verifications = VerificationRuns()
  let networkReports = NetworkReports(clock: SystemMonotonicClock())
  let spoolTimeout = DiskTimeout(
    refusal: "The spool does not answer in time. What was asked may still be done.")
  /// The buttons' names, in the order of the configuration.
  var buttonNames: [String] = []
  /// The kernel's name of this boot.
  let bootID: String? = BootID.current
  /// The report of the cameras' process; `nil` without a separate process.
  var cameraProcess: @Sendable () -> CameraProcessReport? = { nil }
  /// The problems of serving the API at its configured places.
  var listeningProblems = ListeningProblems()
  /// The running configuration for the doctor, which checks less without it.
  @OnHeap var configuration: PlatenConfiguration? = nil
  /// The configuration file; `nil` for a service that was given none.
  var configurationStore: ConfigurationStore?
  /// The maker of small pictures from frames; `nil` for a rig without previews.
  var previews: PreviewMaker?
  /// The maker of findings about the page; `nil` for a rig without previews.
  var pages: PageMaker?
  /// The pictures of the preview for viewers; `nil` for a rig without previews.
  var broadcast: PreviewBroadcast?
  /// The part that makes recordings; `nil` for a rig without them.
  @OnHeap var movies: MovieControl? = nil
  /// The part that ends the service and the machine; `nil` if the API cannot end them.
  var maintenance: Maintenance?
  /// The examiner of the rig's parts.
  var doctor = Doctor(clock: SystemMonotonicClock())
  /// The tester of the rig's parts; `nil` for a rig that cannot be tested.
  @OnHeap var tester: RigTester? = nil

  var operations: OperationHandlers {
    var operations = OperationHandlers()
    operations.on(Operations.status) { await status() }
    operations.on(Operations.history) { HistoryReport(await monitor.thermalHistory) }
    addPresses(to: &operations)
    addSession(to: &operations)
    addMovie(to: &operations)
    addSpool(to: &operations)
    addDoctor(to: &operations)
    addConfiguration(to: &operations)
    addNetwork(to: &operations)
    addAlignment(to: &operations)
    addTests(to: &operations)
    addSimulation(to: &operations)
    return operations
  }

  // MARK: Reading

  func status() async -> RigStatus {
    let snapshot = await monitor.snapshot
    let readiness = session.readiness
    let counts = await session.pressCounts
    // A refused press leaves the picture before it the last one, also for a retake.
    let latest = await session.latestRecords(RetakeTrail.limit)
    let (stored, isStale) = await spoolCounts()
    let recording: MovieReport? = if movies == nil { nil } else { await movie() }
    return RigStatus(
      rig: rigID, version: PlatenVersion.current, board: board.rawValue,
      readiness: ReadinessReport(readiness),
      session: SessionReport(
        await session.currentStatus, now: clock.now, cameraProcess: cameraProcess()),
      rotation: await rotation(snapshot),
      thermal: ThermalReport(snapshot.heat),
      spool: SpoolReport(
        waiting: (stored?.stored ?? 0) + (stored?.delivering ?? 0),
        delivered: stored?.delivered ?? 0, parked: stored?.parked ?? 0,
        quarantined: stored?.quarantined ?? 0, bytesWaiting: stored?.bytesWaiting ?? 0,
        isStale: isStale ? true : nil, proxies: stored?.proxies ?? 0,
        keptProxies: stored?.keptProxies ?? 0),
      targets: targetReports(snapshot),
      presses: PressSummary(
        last: latest.first?.press.number, stored: counts.stored, refused: counts.refused,
        inFlight: counts.inFlight,
        warnings: latest.first { !$0.isRefused }?.photo?.page?.warnings ?? [],
        warned: await session.warnedCounts),
      lights: lights(snapshot), buttons: buttons(snapshot),
      movie: recording,
      uptimeSeconds: startedAt.duration(to: clock.now).inMilliseconds / 1000)
  }

  /// Returns the counts of the spool; the last known ones when the spool does not answer.
  private func spoolCounts() async -> (counts: SpoolCounts?, isStale: Bool) {
    let answered = try? await ask(within: .seconds(1)) { spool throws(SpoolError) in
      try await spool.counts()
    }
    guard let answered else { return (await monitor.latestCounts, true) }
    await monitor.note(counts: answered)
    return (answered, false)
  }

  func rotation(_ snapshot: RigMonitor.Snapshot) async -> RotationReport {
    let angle = await session.captureAngle
    return RotationReport(
      captureAngle: angle, previewAngle: await session.previewAngle,
      exifOrientation: PressReport.exifOrientation(captureAngle: angle),
      accelerometer: Word(snapshot.accelerometer),
      acceleration: snapshot.accelerometer == .ok
        ? snapshot.acceleration.map { [$0.x, $0.y, $0.z] } : nil)
  }

  func targetReports(_ snapshot: RigMonitor.Snapshot) -> [TargetReport] {
    targets.map { target in
      let isParked = snapshot.faults.contains(.parked(target.section.name))
      return TargetReport(
        target, faults: isParked ? [.deliveryParked] : [])
    }
  }

  private func lights(_ snapshot: RigMonitor.Snapshot) -> [LightReport] {
    IndicatorRole.allCases.compactMap { role in
      indicatorNames[role].map {
        LightReport(role: role, name: $0, light: snapshot.lights[role])
      }
    }
  }

  func buttons(_ snapshot: RigMonitor.Snapshot) -> [ButtonReport] {
    buttonNames.map { name in
      ButtonReport(
        name: name,
        faults: snapshot.faults.filter { $0.part == name }.map { Word($0.reason) },
        lostEdges: snapshot.lostEdges[name] ?? 0, spikes: snapshot.spikes[name] ?? 0)
    }
  }

  // MARK: Acting

  func shoot(_ settings: PressSettings) async throws(APIError) -> PressReport {
    let number: Int64
    do {
      number = try await session.press(
        at: clock.now, source: .api, settings: PhotoSettings(settings))
    } catch {
      throw APIError(.unavailable, "The press got no number; the spool cannot be written: \(error)")
    }
    guard let record = await session.outcome(of: number) else {
      throw APIError(.internalError, "Press \(number) was forgotten before its outcome was read.")
    }
    return PressReport(record, bootID: bootID)
  }
}
