import Capture
import Devices
import RigConfiguration
import Settings
import Spool
import TestSupport
import Testing

/// Mistakes in the file, and the places that their issues name.
extension PlatenConfigurationTests {
  private func issues(_ text: String) -> [ConfigurationIssue] {
    do {
      _ = try PlatenConfiguration.parse(text, file: "platen.yaml")
      return []
    } catch {
      return error.issues
    }
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
    Bad("camera:\n  ring_frames: 21", line: 5, key: "camera.ring_frames", "from 3 to 20"),
    Bad("camera:\n  maximum_captures: 8", line: 5, key: "camera.maximum_captures", "from 1 to 7"),
    Bad("camera:\n  ring_frames: 2", line: 5, key: "camera.ring_frames", "from 3 to 20"),
    Bad("camera:\n  ring_frames: 3", line: 5, key: "camera.ring_frames", "must be 4 or more"),
    Bad(
      "camera:\n  frame_rate: 60\n  ring_frames: 4", line: 6, key: "camera.ring_frames",
      "must be 5 or more at this \"frame_rate\""),
    Bad("camera:\n  process: thread", line: 5, key: "camera.process", "separate"),
    Bad("camera: fast", line: 4, key: "camera", "expected a section"),
    Bad("camera:\n  pixel_formats: [yuv, nv12]", line: 5, key: "camera.pixel_formats[0]", "yuv420"),
    Bad("shutter:\n  debounce: 30", line: 5, key: "shutter.debounce", "with its unit"),
    Bad("shutter:\n  line: A\n  debounce: 2 s", line: 6, key: "shutter.debounce", "1 s"),
    Bad("shutter:\n  line: A\n  chip: b", line: 5, key: "shutter.line", "excludes"),
    Bad(
      "shutter:\n  line: A\n  active_low: yes", line: 6, key: "shutter.active_low", "true or false"),
    Bad("indicators:\n  ready: { led: ../../etc }", line: 5, key: "indicators.ready.led", "path"),
    Bad("indicators:\n  busy: { led: a }", line: 5, key: "indicators.busy", "unknown"),
    Bad("lamp: { led: a, chip: b }", line: 4, key: "lamp.led", "excludes"),
    Bad("lamp: { mode: shot }", line: 4, key: "lamp.line", "missing"),
    Bad("lamp:\n  led: a\n  mode: always", line: 6, key: "lamp.mode", "one of session, shot"),
    Bad("lamp:\n  led: a\n  lead_time: 11 s", line: 6, key: "lamp.lead_time", "10 s"),
    Bad("lamp:\n  led: a\n  hold_time: 1 s", line: 6, key: "lamp.hold_time", "mode: shot"),
    Bad("lamp:\n  led: a\n  flash: auto", line: 6, key: "lamp.flash", "mode: shot"),
    Bad(
      "lamp:\n  led: a\n  mode: shot\n  flash: dim", line: 7, key: "lamp.flash",
      "one of off, on, auto"),
    Bad("lamp:\n  led: a\n  auto_from: 1 s", line: 6, key: "lamp.auto_from", "mode: shot"),
    Bad(
      "lamp:\n  led: a\n  mode: shot\n  auto_from: 11 s", line: 7, key: "lamp.auto_from", "10 s"),
    Bad("lamp:\n  led: a\n  delay: 1 s", line: 6, key: "lamp.delay", "unknown"),
    Bad("camera:\n  exposure: long", line: 5, key: "camera.exposure", "auto, or \"duration\""),
    Bad("camera:\n  exposure: { gain: 1 }", line: 5, key: "camera.exposure.duration", "missing"),
    Bad(
      "camera:\n  exposure:\n    duration: 10 ms\n    gain: 0.5", line: 7,
      key: "camera.exposure.gain", "from 1 to 1000"),
    Bad(
      "camera:\n  exposure:\n    duration: 10 ms\n    gain: 2\n    iso: 100", line: 8,
      key: "camera.exposure.iso", "unknown"),
    Bad("camera:\n  white_balance: { red: 2 }", line: 5, key: "camera.white_balance.blue", "blue"),
    Bad("camera:\n  white_balance: [2, 1]", line: 5, key: "camera.white_balance", "found a list"),
    Bad("camera:\n  focus: near", line: 5, key: "camera.focus", "dioptres from 0 to 100"),
    Bad("camera:\n  focus: -1", line: 5, key: "camera.focus", "dioptres"),
    Bad("camera:\n  zoom: 0.5", line: 5, key: "camera.zoom", "from 1 to 100"),
    Bad("camera:\n  flicker: 55", line: 5, key: "camera.flicker", "one of off, 50, 60"),
    Bad("thermal:\n  fair: 90", line: 5, key: "thermal.fair", "ascend"),
    Bad("image:\n  quality: 101", line: 5, key: "image.quality", "from 1 to 100"),
    Bad("image:\n  formats: [jpeg, tiff]", line: 5, key: "image.formats[1]", "jpeg, dng"),
    Bad("image:\n  formats: [dng]", line: 5, key: "image.formats", "needs \"jpeg\""),
    Bad("image:\n  formats: []", line: 5, key: "image.formats", "at least one"),
    Bad("image:\n  merge: hdr", line: 5, key: "image.merge", "one of off, add, only"),
    Bad("camera:\n  raw: dng", line: 5, key: "camera.raw", "true or false"),
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
  func `mistakes are refused`(_ example: Bad) {
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
    camera: { ring_frames: 20 }
    """
  }

  @Test(arguments: ["63 MiB", "67108863 B", "67 MB", "0 B", "-1 GiB"])
  func `a spool too small for a large picture is refused`(_ maximumBytes: String) {
    let found = issues(configuration(maximumBytes: maximumBytes))
    #expect(found.count == 1)
    #expect(found.first?.key == "spool.maximum_bytes")
    #expect(found.first?.line == 5)
    #expect(found.first?.description.hasPrefix("platen.yaml:5:") == true)
    #expect(found.first?.problem.contains("64 MiB or more") == true, "\(found)")
  }

  @Test(arguments: ["ev=1", "ev=0,9", "-2,0,2", "lamp=1,2"])
  func `a bracket that no camera can take is refused`(_ bracket: String) throws {
    func text(_ bracket: String) -> String {
      """
      rig: { id: rig-1 }
      board: simulated
      image: { bracket: "\(bracket)" }
      spool: { directory: /spool }
      """
    }
    #expect(issues(text(bracket)).map(\.key) == ["image.bracket"])
    let image = try PlatenConfiguration.parse(text("focus=2,4,6"), file: "platen.yaml").image
    #expect(image.bracket.description == "focus=2,4,6")
  }

  static let simulations = [
    ("scene: mountain", "scene"), ("scene: chart, depth: 21", "depth"), ("depth: 2", "depth"),
    ("scene: page, gain: 17", "gain"), ("gain: 2", "gain"), ("mosaic: monochrome", "mosaic"),
    ("seed: -1", "seed"), ("noise: 2", "noise"),
  ]

  @Test(arguments: simulations)
  func `a world that the simulated board cannot show is refused`(_ keys: String, key: String) {
    let text = """
      rig: { id: rig-1 }
      board: simulated
      simulation: { \(keys) }
      spool: { directory: /spool }
      """
    #expect(issues(text).map(\.key) == ["simulation.\(key)"])
  }

  @Test func `the simulated camera has no process of its own`() throws {
    let text = """
      rig: { id: rig-1 }
      board: simulated
      camera: { process: separate }
      spool: { directory: /var/lib/platen }
      """
    let found = issues(text)
    #expect(found.map(\.key) == ["camera.process"])
    #expect(found.first?.line == 3)
    #expect(found.first?.problem.hasPrefix("goes with \"board: linux\" only") == true, "\(found)")
    for (board, process) in [("simulated", "service"), ("linux", "separate"), ("linux", "service")]
    {
      let allowed = text.replacing("simulated", with: board).replacing("separate", with: process)
      let configuration = try PlatenConfiguration.parse(allowed, file: "platen.yaml")
      #expect(configuration.camera.process?.rawValue == process)
    }
  }

  @Test func `the limits themselves are accepted`() throws {
    let configuration = try PlatenConfiguration.parse(
      configuration(maximumBytes: "64 MiB"), file: "platen.yaml")
    #expect(configuration.spool.maximumBytes == 64 << 20)
    #expect(configuration.camera.session.stream.ringFrameCount == 20)
  }

  @Test func `all mistakes are reported at once`() {
    let found = issues("rig: { id: 'not valid!' }\nboard: pi\ncamera: { size: 1 }\n")
    #expect(Set(found.map(\.key)) == ["rig.id", "board", "camera.size", "spool"])
    #expect(found.map(\.line) == found.map(\.line).sorted())
  }

  @Test(arguments: ["", "- a\n- b", "just text", "a: [", "\u{0}", "a: b: c", "{{}}", "? \n"])
  func `a text that is no configuration is refused`(_ text: String) {
    #expect(!issues(text).isEmpty)
  }

  /// `ProtectHome=yes` hides the path from the service despite `ReadWritePaths=`.
  @Test(arguments: ["/home/pi/drive", "/root", "/run/user/1000/x", "/homes/drive", "/media/drive"])
  func `a path that the unit hides is refused`(_ path: String) {
    let text = Self.minimal + "\ntargets: { drive: { kind: directory, path: \(path) } }\n"
    let isHidden = !["/homes/drive", "/media/drive"].contains(path)
    for board in ["linux", "simulated"] {
      let found = issues(text.replacing("board: linux", with: "board: \(board)"))
      #expect(found.map(\.key) == (isHidden && board == "linux" ? ["targets.drive.path"] : []))
    }
  }

  @Test func `a missing file is an error`() {
    #expect(throws: ConfigurationErrors.self) {
      try PlatenConfiguration.load(path: "/nonexistent/platen.yaml")
    }
  }

  @Test func `the file's length has a limit`() {
    #expect(!issues(Self.minimal + "\n#" + String(repeating: "x", count: 1 << 20)).isEmpty)
  }

  /// A mutated file is either a configuration or issues with a place.
  @Test(arguments: 0..<40 as Range<UInt64>)
  func `mutations never crash`(purpose: UInt64) {
    var generator = TestSeed.generator(purpose)
    func random(_ bound: Int) -> Int { .random(in: 0..<max(1, bound), using: &generator) }
    for _ in 0..<25 {
      var bytes = Array(Self.full.utf8)
      for _ in 0...random(4) {
        let place = random(bytes.count)
        switch random(4) {
        case 0: bytes[place] = UInt8(random(256))
        case 1: bytes.removeSubrange(place..<min(bytes.count, place + random(20)))
        case 2:
          let signs = Array(" :{}[]&*!|>'\"%@-".utf8)
          bytes.insert(contentsOf: signs.shuffled(using: &generator).prefix(2), at: place)
        default: bytes.insert(contentsOf: bytes[0..<min(bytes.count, random(40))], at: place)
        }
        if bytes.isEmpty { bytes = [0x20] }
      }
      let found = issues(String(decoding: bytes, as: UTF8.self))
      #expect(found.allSatisfy { $0.line >= 1 && $0.column >= 1 }, "seed \(TestSeed.value)")
    }
  }
}
