import Capture
import Devices
import RigConfiguration
import Settings
import SimulatedDevices
import Testing

/// The sections of several cameras, the pictures' size and the recovery, and their mistakes.
@Suite struct CameraSectionTests {
  private func parse(_ extra: String) throws -> PlatenConfiguration {
    try PlatenConfiguration.parse(afterMinimum: extra)
  }

  @Test func `a section with one camera is enough`() throws {
    let configuration = try parse("camera: { id: cam0 }")
    #expect(configuration.camera.session.cameras == [.main: .id("cam0")])
    #expect(configuration.cameras == nil)
    #expect(configuration.camera.session.standby == nil)
    #expect(configuration.camera.session.settings.preset == .hd1920x1080)
    #expect(configuration.camera.session.recovery == RecoveryLadder.Policy())
    #expect(configuration.camera.restarts == RestartRecord.Policy())
  }

  @Test func `cameras are configured by role`() throws {
    let configuration = try parse(
      """
      camera: { standby: desk, preset: document }
      cameras:
        page: { id: "/base/soc/i2c0mux/i2c@1/imx708@1a" }
        desk: { position: external }
      """)
    let cameras = try #require(configuration.cameras)
    #expect(cameras.entries.map(\.role.rawValue) == ["page", "desk"])
    #expect(
      cameras.entries.map(\.choice)
        == [.id("/base/soc/i2c0mux/i2c@1/imx708@1a"), .position(.external)])
    #expect(cameras.first.rawValue == "page")
    #expect(configuration.camera.session.standby?.rawValue == "desk")
  }

  @Test(arguments: ImageControl.allCases)
  func `a control of the image is configured by its key`(control: ImageControl) throws {
    let key = control.configurationKey
    let limit = control.range.upperBound
    let configuration = try parse("camera: { \(key): \(limit) }")
    #expect(configuration.camera.session.settings.controls.image == [control: limit])
    let error = #expect(throws: (any Error).self) {
      try parse("camera: { \(key): \(limit + 1) }")
    }
    #expect("\(error as Any)".contains("camera.\(key)"))
  }

  /// Each frame of 1080p takes 3 MiB of contiguous memory, as RGB 6 MiB.
  @Test func `the default wish needs eight buffers`() async throws {
    let session = CameraSection().session
    let cameras = SimulatedCameraSystem(world: SimulatedWorld())
    let description = try #require(try await cameras.cameras().first)
    let wanted = session.stream(
      for: session.settings, of: description, controls: CameraControls())
    #expect(wanted.size == FrameSize(width: 1920, height: 1080))
    #expect(wanted.frameRate == 30)
    let camera = try await cameras.open(description.id)
    let resolved = try await camera.resolve(wanted)
    #expect(resolved.bufferCount == 8)
    #expect(resolved.leasedFrameCount == session.maximumCapturesInFlight + 1)
    #expect(resolved.adjustments.isEmpty)
    await camera.close()
  }

  /// A wish of the API raises the frame rate without a look at the configuration.
  @Test(arguments: [
    (text: "frame_rate: 15, ring_frames: 3", frameRate: 15.0, count: 3),
    ("frame_rate: 15, ring_frames: 3", 30, 4), ("frame_rate: 30", 30, 4),
    ("frame_rate: 120", 120, 8), ("ring_frames: 9", 60, 9),
  ])
  func `the ring grows with the frame rate`(text: String, frameRate: Double, count: Int) throws {
    let session = try parse("camera: { \(text) }").camera.session
    var settings = session.settings
    settings.frameRate = frameRate
    let wanted = session.stream(
      for: settings, of: CameraDescription(id: "a", model: "b"), controls: CameraControls())
    #expect(wanted.ringFrameCount == count)
  }

  struct Size: Sendable {
    var text: String
    var preset: SessionPreset
    var size: FrameSize
  }

  static let largest = FrameSize(width: 4608, height: 2592)
  static let sizes = [
    Size(text: "preset: document", preset: .document, size: FrameSize(width: 1024, height: 768)),
    Size(text: "preset: 1080p", preset: .hd1920x1080, size: FrameSize(width: 1920, height: 1080)),
    Size(text: "preset: full", preset: .photo, size: largest),
    Size(
      text: "size: 1600x1200", preset: .custom(FrameSize(width: 1600, height: 1200)),
      size: FrameSize(width: 1600, height: 1200)),
    Size(
      text: "preset: custom, size: 800x600", preset: .custom(FrameSize(width: 800, height: 600)),
      size: FrameSize(width: 800, height: 600)),
  ]

  @Test(arguments: sizes) func `presets give their sizes`(_ given: Size) throws {
    let preset = try parse("camera: { \(given.text) }").camera.session.settings.preset
    #expect(preset == given.preset)
    let camera = CameraDescription(id: "a", model: "b", largestSize: Self.largest)
    #expect(preset.size(for: camera) == given.size)
  }

  @Test func `the recovery is read`() throws {
    let section = try parse(
      """
      camera:
        recovery:
          rungs: [restart_stream, renew_camera_system, restart_service]
          attempts: 3
          retry_minimum: 100 ms
          retry_maximum: 10 s
          restarts_per_hour: 12
          reboot: true
          reboots_per_day: 4
      power: { method: logind }
      """
    ).camera
    #expect(
      section.session.recovery.rungs == [.restartStream, .renewCameraSystem, .restartService])
    #expect(section.session.recovery.attemptsPerRung == 3)
    #expect(
      section.session.recovery.pauses
        == [.milliseconds(100), .milliseconds(500), .milliseconds(2500), .seconds(10)])
    #expect(
      section.restarts
        == RestartRecord.Policy(
          serviceRestartsPerHour: 12, mayRestartMachine: true, machineRestartsPerDay: 4))
    let standard = try parse("").camera
    #expect(standard.restarts.mayRestartMachine == false)
    #expect(standard.session.recovery == RecoveryLadder.Policy())
  }

  static let bad = [
    Mistake("camera: { presett: full }", 4, "camera.presett", "did you mean \"preset\""),
    Mistake("camera: { preset: 4k }", 4, "camera.preset", "one of document, 1080p, full, custom"),
    Mistake("camera: { preset: custom }", 4, "camera.preset", "needs \"size\""),
    Mistake("camera: { preset: full, size: 800x600 }", 4, "camera.size", "goes with"),
    Mistake("camera: { standby: desk }", 4, "camera.standby", "not among the roles"),
    Mistake("cameras: {}", 4, "cameras", "at least one"),
    Mistake("cameras:\n  a: {}", 5, "cameras.a", "\"id\" or \"position\""),
    Mistake("cameras:\n  a: { id: x, zoom: 2 }", 5, "cameras.a.zoom", "unknown key"),
    Mistake("cameras:\n  A B: { id: x }", 5, "cameras.A B", "is no name of a camera"),
    Mistake("cameras:\n  a: { id: x }\n  b: { id: x }", 6, "cameras.b", "same camera as \"a\""),
    Mistake(
      "cameras:\n  a: { id: x }\ncamera: { id: x }", 6, "camera.id",
      "excludes the section \"cameras\""),
    Mistake(
      "cameras:\n  a: { id: x }\n  b: { id: y }\ncamera: { standby: a }", 7, "camera.standby",
      "at the start already"),
    Mistake("camera:\n  recovery: { reboots: 1 }", 5, "camera.recovery.reboots", "unknown key"),
    Mistake("camera:\n  recovery: { rungs: [reboot] }", 5, "camera.recovery.rungs[0]", "one of"),
    Mistake("camera:\n  recovery: { rungs: [] }", 5, "camera.recovery.rungs", "at least one"),
    Mistake("camera:\n  recovery: { attempts: 0 }", 5, "camera.recovery.attempts", "from 1 to 10"),
    Mistake(
      "camera:\n  recovery: { restarts_per_hour: 61 }", 5, "camera.recovery.restarts_per_hour",
      "from 1 to 60"),
    Mistake(
      "camera:\n  recovery: { reboot: true }", 5, "camera.recovery.reboot",
      "needs a \"power.method\""),
    Mistake(
      "camera:\n  recovery: { reboot: true }\npower: { method: command, power_off: [/bin/true] }",
      5, "camera.recovery.reboot", "needs \"power.restart\""),
    Mistake(
      "camera:\n  recovery: { reboots_per_day: 1 }", 5, "camera.recovery.reboots_per_day",
      "\"reboot: true\" only"),
    Mistake(
      "power: { method: logind }\ncamera:\n  recovery: { reboot: true, rungs: [reopen_camera] }", 6,
      "camera.recovery.reboot", "restart_service"),
    Mistake(
      "camera:\n  recovery: { retry_minimum: 10 s, retry_maximum: 5 s }", 5,
      "camera.recovery.retry_maximum", "must not be shorter"),
  ]

  @Test(arguments: bad) func `a mistake is reported with its key and line`(_ given: Mistake) {
    let error = #expect(throws: ConfigurationErrors.self) { _ = try parse(given.text) }
    let issue = error?.issues.first { $0.key == given.key }
    #expect(issue?.line == given.line, "\(error?.description ?? "")")
    #expect(issue?.problem.contains(given.fragment) == true, "\(error?.description ?? "")")
    #expect(error?.issues.count == 1, "\(error?.description ?? "")")
  }
}
