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

  static let bad = [
    Mistake("camra: {}", 4, "camra", "did you mean \"camera\""),
    Mistake("camera:\n  sise: 10x10", 5, "camera.sise", "did you mean \"size\""),
    Mistake("camera:\n  size: 10", 5, "camera.size", "expected a size"),
    Mistake("camera:\n  size: [1, 2]", 5, "camera.size", "found a list"),
    Mistake("camera:\n  mounting_angle: 45", 5, "camera.mounting_angle", "0, 90, 180 or 270"),
    Mistake("camera:\n  id: a\n  position: back", 6, "camera.position", "excludes"),
    Mistake("camera:\n  ring_frames: 21", 5, "camera.ring_frames", "from 3 to 20"),
    Mistake("camera:\n  maximum_captures: 8", 5, "camera.maximum_captures", "from 1 to 7"),
    Mistake("camera:\n  ring_frames: 2", 5, "camera.ring_frames", "from 3 to 20"),
    Mistake("camera:\n  ring_frames: 3", 5, "camera.ring_frames", "must be 4 or more"),
    Mistake(
      "camera:\n  frame_rate: 60\n  ring_frames: 4", 6, "camera.ring_frames",
      "must be 5 or more at this \"frame_rate\""),
    Mistake("camera:\n  process: thread", 5, "camera.process", "separate"),
    Mistake("camera: fast", 4, "camera", "expected a section"),
    Mistake("camera:\n  pixel_formats: [yuv, nv12]", 5, "camera.pixel_formats[0]", "yuv420"),
    Mistake("shutter:\n  debounce: 30", 5, "shutter.debounce", "with its unit"),
    Mistake("shutter:\n  line: A\n  debounce: 2 s", 6, "shutter.debounce", "1 s"),
    Mistake("shutter:\n  line: A\n  chip: b", 5, "shutter.line", "excludes"),
    Mistake("shutter:\n  line: A\n  active_low: yes", 6, "shutter.active_low", "true or false"),
    Mistake("indicators:\n  ready: { led: ../../etc }", 5, "indicators.ready.led", "path"),
    Mistake("indicators:\n  busy: { led: a }", 5, "indicators.busy", "unknown"),
    Mistake("lamp: { led: a, chip: b }", 4, "lamp.led", "excludes"),
    Mistake("lamp: { mode: shot }", 4, "lamp.line", "missing"),
    Mistake("lamp:\n  led: a\n  mode: always", 6, "lamp.mode", "one of session, shot"),
    Mistake("lamp:\n  led: a\n  lead_time: 11 s", 6, "lamp.lead_time", "10 s"),
    Mistake("lamp:\n  led: a\n  hold_time: 1 s", 6, "lamp.hold_time", "mode: shot"),
    Mistake("lamp:\n  led: a\n  flash: auto", 6, "lamp.flash", "mode: shot"),
    Mistake("lamp:\n  led: a\n  mode: shot\n  flash: dim", 7, "lamp.flash", "one of off, on, auto"),
    Mistake("lamp:\n  led: a\n  auto_from: 1 s", 6, "lamp.auto_from", "mode: shot"),
    Mistake("lamps:\n  left: { led: a }\n  right: { led: a }", 6, "lamps.right", "lamp \"left\""),
    Mistake("lamps:\n  Left: { led: a }", 5, "lamps.Left", "name of a lamp"),
    Mistake("image:\n  bracket: lamps=left,right", 5, "image.bracket", "\"lamps\""),
    Mistake("lamp:\n  led: a\n  mode: shot\n  auto_from: 11 s", 7, "lamp.auto_from", "10 s"),
    Mistake("lamp:\n  led: a\n  delay: 1 s", 6, "lamp.delay", "unknown"),
    Mistake("camera:\n  exposure: long", 5, "camera.exposure", "auto, or \"duration\""),
    Mistake("camera:\n  exposure: { gain: 1 }", 5, "camera.exposure.duration", "missing"),
    Mistake(
      "camera:\n  exposure:\n    duration: 10 ms\n    gain: 0.5", 7, "camera.exposure.gain",
      "from 1 to 1000"),
    Mistake(
      "camera:\n  exposure:\n    duration: 10 ms\n    gain: 2\n    iso: 100", 8,
      "camera.exposure.iso", "unknown"),
    Mistake("camera:\n  white_balance: { red: 2 }", 5, "camera.white_balance.blue", "blue"),
    Mistake("camera:\n  white_balance: [2, 1]", 5, "camera.white_balance", "found a list"),
    Mistake("camera:\n  focus: near", 5, "camera.focus", "diopters from 0 to 100"),
    Mistake("camera:\n  focus: -1", 5, "camera.focus", "diopters"),
    Mistake("camera:\n  zoom: 0.5", 5, "camera.zoom", "from 1 to 100"),
    Mistake("camera:\n  flicker: 55", 5, "camera.flicker", "one of off, 50, 60"),
    Mistake("thermal:\n  fair: 90", 5, "thermal.fair", "ascend"),
    Mistake("image:\n  quality: 101", 5, "image.quality", "from 1 to 100"),
    Mistake("image:\n  formats: [jpeg, tiff]", 5, "image.formats[1]", "jpeg, dng"),
    Mistake("image:\n  formats: [dng]", 5, "image.formats", "needs \"jpeg\""),
    Mistake("image:\n  formats: []", 5, "image.formats", "at least one"),
    Mistake("image:\n  merge: hdr", 5, "image.merge", "one of off, add, only"),
    Mistake(
      "image:\n  deferred: { maximum_pictures: 0 }", 5, "image.deferred.maximum_pictures",
      "from 1 to 1000"),
    Mistake(
      "targets:\n  a: { kind: directory, path: /media/a, deferred: never }", 5,
      "targets.a.deferred", "one of final-only, proxy-first, both"),
    Mistake(
      "image: { deferred: true }\ntargets:\n  a: { kind: directory, path: /m/a, order: strict }",
      6, "targets.a.order", "overtake"),
    Mistake("camera:\n  raw: dng", 5, "camera.raw", "true or false"),
    Mistake("page: maybe", 4, "page", "one of on, off"),
    Mistake("page: { maximum_skew: 60 }", 4, "page.maximum_skew", "from 0.2 to 45"),
    Mistake("page: { warnings: [blurry] }", 4, "page.warnings[0]", "textBlurred"),
    Mistake("duplicates:\n  near_threshold: 33", 5, "duplicates.near_threshold", "from 0 to 32"),
    Mistake("duplicates: { window: 3 }", 4, "duplicates.window", "near_window"),
    Mistake("api:\n  socket: relative.sock", 5, "api.socket", "absolute"),
    Mistake("log:\n  level: loud", 5, "log.level", "one of"),
    Mistake("simulation: { seed: 3 }", 4, "simulation", "simulated"),
    Mistake("accelerometer: {}", 4, "accelerometer.device", "missing"),
    Mistake("rig: { id: again }", 4, "rig", "twice"),
    Mistake("image: { <<: { quality: 80 } }", 4, "image.<<", "unknown"),
  ]

  @Test(arguments: bad)
  func `mistakes are refused`(_ example: Mistake) {
    let found = issues(Self.minimal + "\n" + example.text)
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
