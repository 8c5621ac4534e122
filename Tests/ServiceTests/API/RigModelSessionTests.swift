import API
import Capture
import Devices
import RigConfiguration
import SimulatedDevices
import Spool
import TestSupport
import Testing

@testable import Service

/// The session's verbs on a session that runs on the simulated board.
@Suite(.serialized, .timeLimit(.minutes(10))) struct RigModelSessionTests {
  private let scratch = ScratchSpool()

  /// A running rig with two cameras; the second has no controls at all.
  private struct Rig {
    let model: RigModel
    let world: SimulatedWorld
    let events: AsyncStream<RigEvent>

    /// Waits until the session is ready or, if the state says so, not ready.
    func until(_ state: String) async throws -> SessionOverview {
      var overview = await model.session()
      try await eventually {
        overview = await model.session()
        return overview.readiness.state.rawValue == state
      }
      return overview
    }
  }

  private func withRig(
    receive: @escaping CaptureSession.PhotoReceiver = { _, _ in .refused(.encodingFailed) },
    _ body: (Rig) async throws -> Void
  ) async throws {
    let spool = try await scratch.open()
    let clock = SystemMonotonicClock()
    var second = SimulatedCameraModel()
    second.id = "second"
    second.capabilities = CameraCapabilities()
    let world = SimulatedWorld(clock: clock, cameraModels: [SimulatedCameraModel(), second])
    var configuration = CaptureSessionConfiguration.patient(FrameSize(width: 640, height: 480))
    configuration.cameras = [
      .main: .id(SimulatedCameraModel().id), CameraRole(rawValue: "overhead"): .id("second"),
    ]
    let log = RecordedLog()
    let session = CaptureSession(
      configuration: configuration,
      cameras: SimulatedCameraSystem(world: world),
      numbers: PressNumbers { 1..<Int64(1 + $0) }, clock: clock, logger: log.logger,
      receive: receive)
    let monitor = RigMonitor(hasAccelerometer: false)
    let model = RigModel(
      rigID: "rig-1", board: .simulated, session: session, spool: spool,
      spoolConfiguration: scratch.configuration, targets: [], monitor: monitor,
      indicatorNames: [:], world: world, clock: clock, startedAt: clock.now)
    monitor.follow(session.events)
    let rig = Rig(model: model, world: world, events: await model.events())
    let running = Task { try await session.run() }
    do {
      _ = try await rig.until("ready")
      try await body(rig)
    } catch {
      running.cancel()
      _ = await running.result
      throw error
    }
    running.cancel()
    _ = await running.result
    monitor.changes.finish()
    await spool.close()
  }

  private func change(_ edit: (inout SessionChange) -> Void) -> SessionChange {
    var change = SessionChange()
    edit(&change)
    return change
  }

  private func zoom(_ factor: Double) -> SessionChange {
    change { $0.set(.zoom) { $0.videoZoomFactor = factor } }
  }

  @Test func `a change is answered with the resolved settings`() async throws {
    try await withRig { rig in
      let overview = try await rig.model.configureSession(
        change {
          $0.size = .preset("document")
          $0.frameRate = .fixed(15)
          $0.set(.zoom) { $0.videoZoomFactor = 1.5 }
          $0.set(.exposure) { $0.exposureMode = .custom(duration: .milliseconds(8), gain: 2) }
          $0.set(.whiteBalance) {
            $0.whiteBalanceMode = .custom(WhiteBalanceGains(red: 1.5, blue: 1.25))
          }
          $0.set(.focus) { $0.focusMode = .locked(lensPosition: 2) }
          $0.set(.flicker) { $0.flickerAvoidance = .hertz50 }
          $0.image = [.sharpness: .set(1.5), .contrast: .own]
          $0.prioritization = .speed
          $0.fastCapture = false
        })
      let expected = SessionSettingsReport(
        camera: "main", preset: "document", frameRate: .fixed(15),
        controls: CameraControls(
          exposureMode: .custom(duration: .milliseconds(8), gain: 2),
          whiteBalanceMode: .custom(WhiteBalanceGains(red: 1.5, blue: 1.25)),
          focusMode: .locked(lensPosition: 2), videoZoomFactor: 1.5, flickerAvoidance: .hertz50,
          image: [.sharpness: 1.5]),
        prioritization: "speed", fastCapture: false)
      #expect(overview.settings == expected)
      #expect(overview.cameras == ["main", "overhead"])
      #expect(overview.session.size == SizeReport(width: 1024, height: 768))
      let later = try await rig.until("ready")
      #expect(later.settings == expected)
    }
  }

  @Test func `omitted settings stay`() async throws {
    try await withRig { rig in
      let before = await rig.model.session().settings
      let zoomed = try await rig.model.configureSession(zoom(2))
      #expect(zoomed.settings.controls.videoZoomFactor == 2)
      let back = try await rig.model.configureSession(zoom(1))
      #expect(back.settings == before)
    }
  }

  @Test func `a control of the image is set and goes back to the camera's own`() async throws {
    try await withRig { rig in
      let before = await rig.model.session().settings
      let set = try await rig.model.configureSession(
        change { $0.image = [.saturation: .set(0), .brightness: .set(0.25)] })
      #expect(set.settings.controls.image == [.saturation: 0, .brightness: 0.25])
      #expect(set.controls?.controls.image == [.saturation: 0, .brightness: 0.25])
      let less = try await rig.model.configureSession(change { $0.image = [.saturation: .own] })
      #expect(less.settings.controls.image == [.brightness: 0.25])
      let back = try await rig.model.configureSession(change { $0.image = [.brightness: .own] })
      #expect(back.settings == before)
    }
  }

  @Test func `a setting that the camera lacks is refused and the session runs on`() async throws {
    try await withRig { rig in
      _ = try await rig.model.switchCamera()
      let before = try await rig.until("ready")
      #expect(before.session.cameraRole == "overhead")
      let error = await #expect(throws: APIError.self) {
        try await rig.model.configureSession(zoom(2))
      }
      #expect(error?.code == .configurationRefused)
      #expect(error?.message.contains("zoom") == true, "\(error?.message ?? "")")
      #expect(error?.message.contains("keeps its configuration") == true)
      let after = await rig.model.session()
      #expect(after.settings == before.settings)
      #expect(after.readiness.state == "ready")
      let focus = await #expect(throws: APIError.self) {
        try await rig.model.focusCamera(FocusRequest())
      }
      #expect(focus?.code == .unsupported)
    }
  }

  @Test func `a camera that does not exist is refused with the names of the existing ones`()
    async throws
  {
    try await withRig { rig in
      let error = await #expect(throws: APIError.self) {
        try await rig.model.configureSession(change { $0.camera = "moon" })
      }
      #expect(error?.code == .configurationRefused)
      for word in ["moon", "main", "overhead"] { #expect(error?.message.contains(word) == true) }
    }
  }

  @Test func `a failed change is rolled back`() async throws {
    try await withRig { rig in
      let before = await rig.model.session().settings
      rig.world.failNextStarts(1)
      let error = await #expect(throws: APIError.self) {
        try await rig.model.configureSession(change { $0.size = .preset("1080p") })
      }
      #expect(error?.code == .configurationRolledBack)
      #expect(error?.message.contains("back at its old configuration") == true)
      let after = try await rig.until("ready")
      #expect(after.settings == before)
    }
  }

  @Test func `a change that cannot be rolled back says that the session keeps retrying`()
    async throws
  {
    try await withRig { rig in
      rig.world.failNextStarts(2)
      let error = await #expect(throws: APIError.self) {
        try await rig.model.configureSession(change { $0.size = .preset("1080p") })
      }
      #expect(error?.code == .configurationInterrupted)
      #expect(error?.status == 503)
      let after = try await rig.until("ready")
      #expect(after.settings.size == SizeReport(width: 640, height: 480))
    }
  }

  @Test func `a stop releases the camera and resume takes it again`() async throws {
    try await withRig { rig in
      let stopped = await rig.model.stopSession()
      // The answer waits five seconds for the camera's release, and a busy machine takes longer.
      try await eventually { await rig.model.session().session.camera == nil }
      #expect(stopped.readiness.reasons == ["stoppedByTechnician"])
      let refused = try await rig.model.shoot(PressSettings())
      #expect(refused.outcome == .refused)
      #expect(refused.reason == "stoppedByTechnician")
      let lasting = await rig.model.interruptions()
      #expect(lasting.lasting.map(\.reason) == ["stoppedByTechnician"])
      _ = await rig.model.resumeSession()
      _ = try await rig.until("ready")
      let ended = await rig.model.interruptions()
      #expect(ended.lasting.isEmpty)
      let last = try #require(ended.ended.first)
      #expect(last.reason == "stoppedByTechnician")
      #expect(try #require(last.endedNanoseconds) >= last.beganNanoseconds)
    }
  }

  @Test func `the newest interruption is listed first`() async throws {
    try await withRig { rig in
      for reason in [InterruptionReason.storageFull, .undervoltage] {
        await rig.model.session.beginInterruption(reason, cause: "because")
        await rig.model.session.endInterruption(reason)
      }
      let list = await rig.model.interruptions()
      #expect(list.ended.prefix(2).map(\.reason) == ["undervoltage", "storageFull"])
      #expect(list.ended.first?.cause == "because")
    }
  }

  @Test func `a calibration is shown until it is deleted`() async throws {
    try await withRig { rig in
      // A busy machine may paint too few frames within the limit.
      var first: CalibrationReport?
      try await eventually {
        first = try? await rig.model.calibrateCamera()
        return first != nil
      }
      let calibration = try #require(first)
      #expect(calibration.exposureMicroseconds != nil && calibration.gain != nil)
      let locked = await rig.model.session()
      #expect(locked.calibration == calibration)
      #expect(locked.controls?.isCalibrated == true)
      #expect(locked.settings.controls.exposureMode == nil, "the settings are what was wanted")
      guard case .custom? = locked.controls?.controls.exposureMode else {
        Issue.record("the exposure is not fixed: \(locked)")
        return
      }
      let forgotten = try await rig.model.forgetCalibration()
      #expect(forgotten.calibration == nil)
      #expect(forgotten.controls?.isCalibrated == false)
      _ = try await rig.model.switchCamera()
      let error = await #expect(throws: APIError.self) { try await rig.model.calibrateCamera() }
      #expect(error?.code == .unsupported)
      _ = await rig.model.stopSession()
      let focus = await #expect(throws: APIError.self) {
        try await rig.model.focusCamera(FocusRequest())
      }
      #expect(focus?.code == .conflict)
      let forget = await #expect(throws: APIError.self) { try await rig.model.forgetCalibration() }
      #expect(forget?.code == .conflict)
    }
  }

  /// A press with one picture gives its listeners five steps of progress, in their order.
  @Test func `a press reports five steps of progress`() async throws {
    try await withRig(receive: store) { rig in
      let report = try await rig.model.shoot(PressSettings())
      #expect(report.outcome == .stored)
      var steps: [CaptureProgressReport] = []
      for await event in rig.events {
        guard case .progress(let step) = event.payload else { continue }
        steps.append(step)
        if step.step == .captureFinished { break }
      }
      #expect(steps.map(\.step) == CaptureProgressReport.Step.allCases)
      #expect(steps.allSatisfy { $0.press == report.number })
      #expect(steps[0].prioritization == "balanced" && steps[0].count == 1)
      let (began, ended) = (steps[1].exposureNanoseconds, steps[2].exposureNanoseconds)
      #expect(try #require(began) < #require(ended))
      #expect(steps[3].index == 1 && steps[3].count == 1 && steps[3].kind == "photo")
      #expect(steps[3].itemID == "item")
      #expect(steps[4].reason == nil)
    }
  }

  @Test(arguments: [QualityPrioritization.speed, .quality])
  func `a press uses the requested prioritization`(
    _ prioritization: QualityPrioritization
  ) async throws {
    try await withRig(receive: store) { rig in
      _ = try await rig.model.shoot(PressSettings(prioritization: prioritization))
      for await event in rig.events {
        guard case .progress(let step) = event.payload, step.step == .settingsResolved else {
          continue
        }
        #expect(step.prioritization == Word(prioritization) && step.isFastCapture == false)
        break
      }
      let wanted = PhotoSettings(PressSettings(prioritization: prioritization, fastCapture: false))
      #expect(wanted.prioritization == prioritization && !wanted.allowsFastCapture)
    }
  }

  @Test func `a retake is a press whose picture replaces the last one`() {
    #expect(PhotoSettings(PressSettings(retake: true)).replacesLastPhoto)
    #expect(!PhotoSettings(PressSettings()).replacesLastPhoto)
  }

  private func storeCrooked(
    _ photo: CapturedPhoto, _ deliver: @Sendable (PhotoDelivery) async -> Void
  ) async -> PressOutcome {
    var page = PageFindings()
    page.skew = 4.5
    page.regions = [PageFindings.Region(x: 0, y: 0.25, width: 0.5, height: 0.5)]
    page.warnings = [.pageCrooked]
    var stored = StoredPhoto(itemID: "item", path: "/item.jpg", byteCount: 1, sha256: "")
    stored.page = page
    stored.orientationSource = .text
    await deliver(PhotoDelivery(kind: .photo, index: 1, photo: stored))
    return .stored(stored)
  }

  @Test func `the findings about a page are in every report of its press`() async throws {
    try await withRig(receive: storeCrooked) { rig in
      let report = try await rig.model.shoot(PressSettings())
      #expect(report.orientationSource == "text")
      #expect(report.page?.skew == 4.5 && report.page?.regions == nil)
      #expect(report.page?.warnings.map(\.code) == ["pageCrooked"])
      events: for await event in rig.events {
        switch event.payload {
        case .progress(let step) where step.step == .photoDelivered:
          #expect(step.page == report.page && step.orientationSource == "text")
        case .press(let press) where press.outcome == .stored:
          #expect(press.page == report.page)
          break events
        default: continue
        }
      }
      let whole = try await rig.model.press(number: report.number)
      #expect(whole?.page?.regions?.map(\.width) == [0.5])
      #expect(try await rig.model.presses(PressFilter()).presses.map(\.page) == [report.page])
      let presses = await rig.model.status().presses
      #expect(presses.warnings?.map(\.code) == ["pageCrooked"])
      #expect(presses.warned == ["pageCrooked": 1])
      let refused = try await rig.model.shoot(PressSettings(flash: .auto))
      #expect(refused.outcome == .refused)
      let later = await rig.model.status().presses
      #expect(later.last == refused.number && later.warnings == presses.warnings)
    }
  }

  @Test func `a flash without a lamp is refused with its reason`() async throws {
    try await withRig(receive: store) { rig in
      #expect(await rig.model.capabilities().flashModes == ["off"])
      let refused = try await rig.model.shoot(PressSettings(flash: .auto))
      #expect(refused.outcome == .refused && refused.reason == "noLamp")
      let error = await #expect(throws: APIError.self) {
        try await rig.model.configureSession(change { $0.flash = .on })
      }
      #expect(error?.code == .configurationRefused)
      #expect(error?.message.contains("the rig has no lamp") == true)
      let taken = try await rig.model.shoot(PressSettings(flash: .off))
      #expect(taken.outcome == .stored && taken.flash == nil)
    }
  }

  private func store(
    _ photo: CapturedPhoto, _ deliver: @Sendable (PhotoDelivery) async -> Void
  ) async -> PressOutcome {
    let stored = StoredPhoto(itemID: "item", path: "/item.jpg", byteCount: 1, sha256: "")
    await deliver(PhotoDelivery(kind: .photo, index: 1, photo: stored))
    return .stored(stored)
  }

  @Test func `every change is an event and a failed change is none`() async throws {
    try await withRig { rig in
      _ = try await rig.model.configureSession(zoom(2))
      rig.world.failNextStarts(1)
      _ = try? await rig.model.configureSession(change { $0.size = .preset("1080p") })
      _ = try await rig.model.configureSession(change { $0.prioritization = .quality })
      _ = try await rig.model.configureSession(change { $0.prioritization = .quality })
      _ = try await rig.model.configureSession(zoom(3))
      var seen: [String] = []
      for await event in rig.events {
        guard case .configuration(let report) = event.payload else { continue }
        seen.append("\(report.controls.videoZoomFactor) \(report.prioritization)")
        if report.controls.videoZoomFactor == 3 { break }
      }
      #expect(seen == ["2.0 balanced", "2.0 quality", "3.0 quality"])
    }
  }
}
