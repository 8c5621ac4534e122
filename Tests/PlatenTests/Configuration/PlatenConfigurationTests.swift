import Capture
import Devices
import Logging
import Platen
import Testing

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
      mounting_angle: 90
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
    indicators:
      ready: { led: "rig:green:ready" }
      fault: { line: FAULT, active_low: true }
      upload: { chip: pinctrl-bcm2835, offset: 24 }
    thermal:
      zones: [cpu-thermal]
      fair: 55
      serious: 65
      critical: 75
      hysteresis: 2
      interval: 500 ms
      serious_frame_rate: 3
    image: { quality: 85 }
    duplicates: { near_threshold: 4, near_window: 100 }
    spool:
      directory: /srv/spool
      minimum_free: 1 GiB
      maximum_bytes: 20 GB
      maximum_items: 100000
      when_full: evict-oldest
      history_items: 1000000
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

  private func issues(_ text: String) -> [ConfigurationIssue] {
    do {
      _ = try PlatenConfiguration.parse(text, file: "platen.yaml")
      return []
    } catch {
      return error.issues
    }
  }

  @Test func defaults() throws {
    let configuration = try PlatenConfiguration.parse(Self.minimal, file: "platen.yaml")
    #expect(configuration.rigID == "rig-1")
    #expect(configuration.camera.camera == .first)
    #expect(configuration.camera.stream.size == FrameSize(width: 1920, height: 1080))
    #expect(configuration.shutter == nil)
    #expect(configuration.targets.isEmpty)
    #expect(configuration.spool.whenFull == .reject)
    #expect(configuration.duplicates.nearThreshold == 6)
    #expect(configuration.duplicates.nearWindow == 32)
    #expect(configuration.spool.minimumFreeBytes == 256 << 20)
    #expect(configuration.apiSocket == "/run/platen/platend.sock")
  }

  @Test func everyKey() throws {
    let configuration = try PlatenConfiguration.parse(Self.full, file: "platen.yaml")
    #expect(configuration.camera.camera == .position(.back))
    #expect(configuration.camera.stream.pixelFormats == [.yuv420, .mjpeg])
    #expect(configuration.camera.stream.frameRate == 14.35)
    #expect(configuration.camera.mountingAngle == 90)
    #expect(configuration.shutter?.line == .offset(chip: "pinctrl-bcm2835", line: 17))
    #expect(configuration.shutter?.debounce == .milliseconds(20))
    #expect(configuration.shutter?.isActiveLow == false)
    #expect(configuration.accelerometer?.frozenAfter == nil)
    #expect(configuration.accelerometer?.mountMatrix != nil)
    #expect(configuration.indicators[.ready] == .led("rig:green:ready"))
    #expect(configuration.indicators[.fault] == .line(.name("FAULT"), isActiveLow: true))
    #expect(configuration.thermal.limits.critical == 75)
    #expect(configuration.duplicates.nearThreshold == 4)
    #expect(configuration.duplicates.nearWindow == 100)
    #expect(configuration.spool.maximumBytes == 20_000_000_000)
    #expect(configuration.spool.whenFull == .evictOldest)
    #expect(configuration.spool.maximumItems == 100_000)
    #expect(configuration.spool.historyItems == 1_000_000)
    #expect(configuration.targets.map(\.name) == ["server", "stick"])
    #expect(configuration.logLevel == .debug)
  }

  struct Bad: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let text: String
    let line: Int
    let key: String
    let fragment: String

    init(_ extra: String, line: Int, key: String, _ fragment: String) {
      testDescription = extra.split(separator: "\n").joined(separator: "|")
      text = PlatenConfigurationTests.minimal + "\n" + extra
      self.line = line
      self.key = key
      self.fragment = fragment
    }
  }

  static let bad: [Bad] = [
    Bad("camra: {}", line: 4, key: "camra", "did you mean \"camera\""),
    Bad("camera:\n  sise: 10x10", line: 5, key: "camera.sise", "did you mean \"size\""),
    Bad("camera:\n  size: 10", line: 5, key: "camera.size", "expected a size"),
    Bad("camera:\n  size: [1, 2]", line: 5, key: "camera.size", "found a list"),
    Bad(
      "camera:\n  mounting_angle: 45", line: 5, key: "camera.mounting_angle", "0, 90, 180 or 270"),
    Bad("camera:\n  id: a\n  position: back", line: 6, key: "camera.position", "excludes"),
    Bad("camera:\n  ring_frames: 26", line: 5, key: "camera.ring_frames", "from 3 to 25"),
    Bad("camera:\n  ring_frames: 2", line: 5, key: "camera.ring_frames", "from 3 to 25"),
    Bad("camera: fast", line: 4, key: "camera", "expected a section"),
    Bad("camera:\n  pixel_formats: [yuv, nv12]", line: 5, key: "camera.pixel_formats[0]", "yuv420"),
    Bad("shutter:\n  debounce: 30", line: 5, key: "shutter.debounce", "with its unit"),
    Bad("shutter:\n  line: A\n  debounce: 2 s", line: 6, key: "shutter.debounce", "1 s"),
    Bad("shutter:\n  line: A\n  chip: b", line: 5, key: "shutter.line", "excludes"),
    Bad(
      "shutter:\n  line: A\n  active_low: yes", line: 6, key: "shutter.active_low", "true or false"),
    Bad("indicators:\n  ready: { led: ../../etc }", line: 5, key: "indicators.ready.led", "path"),
    Bad("indicators:\n  busy: { led: a }", line: 5, key: "indicators.busy", "unknown"),
    Bad("thermal:\n  fair: 90", line: 5, key: "thermal.fair", "ascend"),
    Bad("image:\n  quality: 101", line: 5, key: "image.quality", "from 1 to 100"),
    Bad(
      "duplicates:\n  near_threshold: 33", line: 5, key: "duplicates.near_threshold", "from 0 to 32"
    ),
    Bad("duplicates: { window: 3 }", line: 4, key: "duplicates.window", "near_window"),
    Bad("api:\n  socket: relative.sock", line: 5, key: "api.socket", "absolute"),
    Bad("log:\n  level: loud", line: 5, key: "log.level", "one of"),
    Bad("simulation: { seed: 3 }", line: 4, key: "simulation", "simulated"),
    Bad("accelerometer: {}", line: 4, key: "accelerometer.device", "missing"),
    Bad("rig: { id: again }", line: 4, key: "rig", "twice"),
    Bad("image: { <<: { quality: 80 } }", line: 4, key: "image.<<", "unknown"),
  ]

  @Test(arguments: bad)
  func refuses(_ example: Bad) {
    let found = issues(example.text)
    #expect(
      found.contains {
        $0.line == example.line && $0.key == example.key && $0.problem.contains(example.fragment)
      }, "\(found)")
    #expect(found.first?.description.hasPrefix("platen.yaml:") == true)
  }

  private func configuration(maximumBytes: String) -> String {
    """
    rig: { id: rig-1 }
    board: linux
    spool:
      directory: /var/lib/platen
      maximum_bytes: \(maximumBytes)
    camera: { ring_frames: 25 }
    """
  }

  @Test(arguments: ["63 MiB", "67108863 B", "67 MB", "0 B", "-1 GiB"])
  func aSpoolTooSmallForALargePictureIsRefused(_ maximumBytes: String) {
    let found = issues(configuration(maximumBytes: maximumBytes))
    #expect(found.count == 1)
    #expect(found.first?.key == "spool.maximum_bytes")
    #expect(found.first?.line == 5)
    #expect(found.first?.description.hasPrefix("platen.yaml:5:") == true)
    #expect(found.first?.problem.contains("67108864 B") == true, "\(found)")
  }

  @Test func theLimitsThemselvesAreTaken() throws {
    let configuration = try PlatenConfiguration.parse(
      configuration(maximumBytes: "64 MiB"), file: "platen.yaml")
    #expect(configuration.spool.maximumBytes == 64 << 20)
    #expect(configuration.camera.stream.ringFrameCount == 25)
  }

  @Test func reportsEverythingAtOnce() {
    let found = issues("rig: { id: 'not valid!' }\nboard: pi\ncamera: { size: 1 }\n")
    #expect(Set(found.map(\.key)) == ["rig.id", "board", "camera.size", "spool"])
    #expect(found.map(\.line) == found.map(\.line).sorted())
  }

  @Test(arguments: ["", "- a\n- b", "just text", "a: [", "\u{0}", "a: b: c", "{{}}", "? \n"])
  func refusesWhatIsNoConfiguration(_ text: String) {
    #expect(!issues(text).isEmpty)
  }

  @Test func missingFileIsNamed() {
    #expect(throws: ConfigurationErrors.self) {
      try PlatenConfiguration.load(path: "/nonexistent/platen.yaml")
    }
  }

  @Test func theLongestFileHasALimit() {
    #expect(!issues(Self.minimal + "\n#" + String(repeating: "x", count: 1 << 20)).isEmpty)
  }

  /// Whatever a file is mutated to, it is either a configuration or issues with a place.
  @Test(arguments: 0..<40 as Range<UInt64>)
  func mutationsNeverCrash(seed: UInt64) {
    var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
    func random(_ bound: Int) -> Int {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return Int(state % UInt64(max(1, bound)))
    }
    for _ in 0..<25 {
      var bytes = Array(Self.full.utf8)
      for _ in 0...random(4) {
        let place = random(bytes.count)
        switch random(4) {
        case 0: bytes[place] = UInt8(random(256))
        case 1: bytes.removeSubrange(place..<min(bytes.count, place + random(20)))
        case 2:
          bytes.insert(contentsOf: Array(" :{}[]&*!|>'\"%@-".utf8).shuffled().prefix(2), at: place)
        default: bytes.insert(contentsOf: bytes[0..<min(bytes.count, random(40))], at: place)
        }
        if bytes.isEmpty { bytes = [0x20] }
      }
      let found = issues(String(decoding: bytes, as: UTF8.self))
      #expect(found.allSatisfy { $0.line >= 1 && $0.column >= 1 }, "seed \(seed)")
    }
  }
}
