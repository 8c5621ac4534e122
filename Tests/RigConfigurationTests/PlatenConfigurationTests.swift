import API
import Devices
import Imaging
import LinuxDevices
import Logging
import RigConfiguration
import Spool
import Testing

@testable import Capture

@Suite struct PlatenConfigurationTests {
  static let minimal = """
    rig: { id: rig-1 }
    board: linux
    spool: { directory: /var/lib/platen }
    """

  static let full = """
    rig:
      id: rig-1
      make: Acme
      model: Book 3000
    board: linux
    camera:
      position: back
      size: 4608x2592
      frame_rate: 14.35
      pixel_formats: [yuv420, mjpeg]
      ring_frames: 5
      maximum_captures: 6
      mounting_angle: 90
      exposure: { duration: 12500 us, gain: 1.5 }
      white_balance: { red: 1.8, blue: 1.6 }
      focus: 2.25
      zoom: 1.2
      flicker: 50
      stall_timeout: 800 ms
      maximum_wait: 3 s
    shutter:
      chip: pinctrl-bcm2835
      offset: 17
      bias: pull-down
      active_low: false
      debounce: 20ms
    accelerometer:
      device: lis3dh
      trigger: hrtimer0
      rate: 25
      mount_matrix: "0, 1, 0; -1, 0, 0; 0, 0, 1"
      frozen_after: off
    lamp: { led: "rig:white:lamp", mode: shot, lead_time: 350 ms, flash: off, auto_from: 60 ms }
    indicators:
      ready: { led: "rig:green:ready" }
      fault: { line: FAULT, active_low: true }
      upload: { chip: pinctrl-bcm2835, offset: 24 }
    thermal:
      zones: [cpu-thermal]
      fair: 55
      serious: { limit: 65, frame_rate: 3, preview_frame_rate: 1, uploads: hold }
      critical: { limit: 75, spacing: 20 s }
      shutdown: { limit: 85, after: 5 s }
      hysteresis: 2
      dwell: 2 min
      interval: 500 ms
    power:
      method: command
      power_off: [/usr/bin/touch, "/tmp/a b"]
      restart: [/sbin/reboot]
      undervoltage: refuse
      throttled: /run/throttled
      undervoltage_alarm: /run/alarm
    image: { quality: 85 }
    duplicates: { near_threshold: 4, near_window: 100 }
    spool:
      directory: /srv/spool
      minimum_free: 1 GiB
      maximum_bytes: 20 GB
      maximum_items: 100000
      when_full: evict-oldest
      history_items: 1000000
    ledger: { presses: 5000 }
    targets:
      server:
        kind: webdav
        url: https://pages.example/dav
        ca_file: /etc/platen/ca.pem
        user: rig-1
        password_file: credential:upload
        connect_timeout: 5 s
        stall_timeout: 1 min
        retry_minimum: 2 s
        retry_maximum: 1 h
      stick: { kind: directory, path: /media/stick, order: strict }
    api:
      socket: /run/platen/api.sock
      socket_group: rigtech
    log: { level: debug }
    """

  @Test func `the lamps of brackets are read by their names`() throws {
    let text = """
      \(Self.minimal)
      lamps:
        left: { led: a }
        right: { led: b }
      image:
        bracket: lamps=right,left
      """
    let configuration = try PlatenConfiguration.parse(text, file: "platen.yaml")
    #expect(configuration.lamps.map(\.name) == ["left", "right"])
    #expect(configuration.lamps.map(\.light) == [.led("a"), .led("b")])
    #expect(configuration.image.bracket.lamps == ["right", "left"])
  }

  @Test func `the reading of pages is on, and a word turns it off`() throws {
    func page(_ text: String) throws -> PageSection {
      try PlatenConfiguration.parse(Self.minimal + "\n" + text, file: "platen.yaml").page
    }
    let standard = try page("")
    #expect(standard.isEnabled && standard.decidesOrientation)
    #expect(standard.warnings == PageWarning.allCases.filter { $0 != .pageEmpty })
    #expect(try !page("page: off").isEnabled)
    let chosen = try page(
      "page: { orientation: false, minimum_letter_height: 12.5, warnings: [pageEmpty, glare] }")
    #expect(chosen.isEnabled && !chosen.decidesOrientation && chosen.minimumLetterHeight == 12.5)
    #expect(chosen.warnings == [.pageEmpty, .glare])
    #expect(try page("page: { warnings: [] }").warnings == [])
  }

  @Test func `the configuration has defaults`() throws {
    let configuration = try PlatenConfiguration.parse(Self.minimal, file: "platen.yaml")
    #expect(configuration.rigID == "rig-1")
    #expect(configuration.camera.session.cameras == [.main: .first])
    #expect(configuration.camera.session.settings.preset == .hd1920x1080)
    #expect(configuration.buttons.isEmpty)
    #expect(configuration.power.method == .none)
    #expect(configuration.targets.isEmpty)
    #expect(configuration.spool.whenFull == .reject)
    #expect(configuration.duplicates.threshold == 6)
    #expect(configuration.duplicates.window == 32)
    #expect(configuration.spool.minimumFreeBytes == 256 << 20)
    #expect(configuration.api.server.socketPath == "/run/platen/platend.sock")
  }

  @Test func `every key is read`() throws {
    let configuration = try PlatenConfiguration.parse(Self.full, file: "platen.yaml")
    #expect(configuration.camera.session.cameras == [.main: .position(.back)])
    #expect(configuration.camera.session.stream.pixelFormats == [.yuv420, .mjpeg])
    #expect(configuration.camera.session.settings.frameRate == 14.35)
    #expect(configuration.camera.session.maximumCapturesInFlight == 6)
    #expect(configuration.camera.session.mountingAngle == 90)
    #expect(
      configuration.camera.session.settings.controls
        == CameraControls(
          exposureMode: .custom(duration: .microseconds(12_500), gain: 1.5),
          whiteBalanceMode: .custom(WhiteBalanceGains(red: 1.8, blue: 1.6)),
          focusMode: .locked(lensPosition: 2.25), videoZoomFactor: 1.2,
          flickerAvoidance: .hertz50))
    #expect(configuration.lamp?.light == .led("rig:white:lamp"))
    #expect(configuration.lamp?.policy.mode == .shot)
    #expect(configuration.lamp?.policy.leadTime == .milliseconds(350))
    #expect(configuration.lamp?.flash == .off)
    #expect(configuration.lamp?.policy.autoFrom == .milliseconds(60))
    let shutter = try #require(configuration.buttons.first)
    #expect(configuration.buttons.count == 1)
    #expect(shutter.name == "shutter")
    #expect(shutter.line == .offset(17, chip: "pinctrl-bcm2835"))
    #expect(shutter.button.debounce == .milliseconds(20))
    #expect(shutter.isActiveLow == false)
    #expect(shutter.actions == [.single: .shoot])
    #expect(shutter.button.gestures == GestureSettings())
    #expect(configuration.accelerometer?.frozenAfter == nil)
    #expect(configuration.accelerometer?.pacing == .trigger("hrtimer0"))
    #expect(configuration.accelerometer?.mountMatrix != nil)
    #expect(configuration.indicators[.ready] == .led("rig:green:ready"))
    #expect(configuration.indicators[.fault] == .line(.name("FAULT"), isActiveLow: true))
    let governor = configuration.thermal.governor
    #expect(governor.limits == ThermalLimits(fair: 55, serious: 65, critical: 75, shutdown: 85))
    #expect(governor.zoneLimits.isEmpty && governor.hysteresis == 2)
    #expect(governor.dwell == .seconds(120) && governor.shutdownDelay == .seconds(5))
    let policy = configuration.thermal.policy
    #expect(policy.frameRate == 3 && policy.previewFrameRate == 1)
    #expect(policy.seriousUploads == .hold && policy.criticalSpacing == .seconds(20))
    #expect(configuration.power.method == .command)
    #expect(configuration.power.powerOff == ["/usr/bin/touch", "/tmp/a b"])
    #expect(configuration.power.restart == ["/sbin/reboot"])
    #expect(configuration.power.undervoltage == .refuse)
    #expect(configuration.power.throttled == "/run/throttled")
    #expect(configuration.power.undervoltageAlarm == "/run/alarm")
    #expect(configuration.duplicates.threshold == 4)
    #expect(configuration.duplicates.window == 100)
    #expect(configuration.spool.maximumBytes == 20_000_000_000)
    #expect(configuration.spool.whenFull == .evictOldest)
    #expect(configuration.spool.maximumItems == 100_000)
    #expect(configuration.spool.historyItems == 1_000_000)
    #expect(configuration.spool.ledgerPresses == 5000)
    #expect(configuration.targets.map(\.name) == ["server", "stick"])
    #expect(configuration.logLevel == .debug)
  }

  @Test func `automatic modes are requested by name`() throws {
    let text = """
      \(Self.minimal)
      camera: { exposure: auto, white_balance: auto, focus: continuous, flicker: off }
      lamp: { chip: pinctrl-bcm2835, offset: 27, active_low: true }
      """
    let configuration = try PlatenConfiguration.parse(text, file: "platen.yaml")
    #expect(
      configuration.camera.session.settings.controls
        == CameraControls(
          exposureMode: .continuousAutoExposure, whiteBalanceMode: .continuousAutoWhiteBalance,
          focusMode: .continuousAutoFocus))
    #expect(
      configuration.lamp?.light
        == .line(.offset(27, chip: "pinctrl-bcm2835"), isActiveLow: true))
    #expect(configuration.lamp?.policy.mode == .session)
    #expect(configuration.lamp?.policy.leadTime == .milliseconds(200))
    let plain = try PlatenConfiguration.parse(Self.minimal, file: "platen.yaml")
    #expect(plain.camera.session.settings.controls == CameraControls())
    #expect(plain.lamp == nil)
  }

  @Test func `an accelerometer without a trigger is polled`() throws {
    for (line, pacing) in [
      ("{ device: mpu6050, trigger: none }", SamplePacing.polling),
      ("{ device: mpu6050 }", .device),
    ] {
      let text = Self.minimal + "\naccelerometer: \(line)\n"
      let section = try PlatenConfiguration.parse(text, file: "platen.yaml").accelerometer
      #expect(section?.pacing == pacing)
    }
  }
}
