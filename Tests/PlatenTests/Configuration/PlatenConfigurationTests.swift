import Devices
import Foundation
import Logging
import Platen
import Testing

struct PlatenConfigurationTests {
  @Test("The least file has the defaults of the tables")
  func defaults() throws {
    let configuration = try PlatenConfiguration.parse(
      text: ConfigurationSamples.least, file: "f.yaml")
    #expect(configuration.rig.id == "east-3")
    #expect(configuration.rig.make == "Platen" && configuration.rig.model == "Scanning rig")
    #expect(configuration.board == .simulated)
    let camera = configuration.camera
    #expect(camera.selection == .first)
    #expect(camera.size == FrameSize(width: 1920, height: 1080))
    #expect(camera.frameRate == 30)
    #expect(camera.pixelFormats == [.yuv420, .nv12, .yuyv, .mjpeg, .rgb, .bgr])
    #expect(camera.ringFrameCount == 8 && camera.mountingAngle == 0)
    #expect(camera.stallTimeout == .milliseconds(1500) && camera.maximumWait == .seconds(2))
    #expect(configuration.shutter == nil && configuration.accelerometer == nil)
    #expect(configuration.indicators.isEmpty && configuration.thermal == nil)
    #expect(configuration.image.quality == 90)
    #expect(configuration.spool.directory == "/var/spool/platen")
    #expect(configuration.spool.minimumFree == 268_435_456)
    #expect(configuration.spool.maximumBytes == nil && configuration.upload == nil)
    #expect(configuration.api.socket == "/run/platen/platend.sock")
    #expect(configuration.api.socketGroup == nil && configuration.log.level == .info)
    let simulation = try #require(configuration.simulation)
    #expect(simulation.seed == 1 && simulation.bounces && simulation.page == 1)
    #expect(simulation.frameLatency == 3)
  }

  @Test("Sections that are there but empty have the defaults of the tables")
  func sectionDefaults() throws {
    let text =
      ConfigurationSamples.least + """

        shutter: {}
        accelerometer: {}
        thermal: {}
        upload: {url: "http://localhost"}
        """
    let configuration = try PlatenConfiguration.parse(text: text, file: "f.yaml")
    let shutter = try #require(configuration.shutter)
    #expect(shutter.line == nil && shutter.bias == .pullUp && shutter.isActiveLow)
    #expect(shutter.debounce == .milliseconds(30))
    let accelerometer = try #require(configuration.accelerometer)
    #expect(accelerometer.device == nil && accelerometer.trigger == nil)
    #expect(accelerometer.rate == 10 && accelerometer.mountMatrix == nil)
    #expect(accelerometer.frozenAfter == .seconds(30))
    let thermal = try #require(configuration.thermal)
    #expect(thermal.zones.isEmpty && thermal.hysteresis == 3)
    #expect([thermal.fair, thermal.serious, thermal.critical] == [60, 70, 80])
    #expect(thermal.interval == .seconds(1) && thermal.seriousFrameRate == 5)
    let upload = try #require(configuration.upload)
    #expect(upload.url == "http://localhost" && upload.prefix.isEmpty)
    #expect(upload.certificateAuthorityFile == nil && upload.login == nil)
    #expect(upload.connectTimeout == .seconds(10) && upload.stallTimeout == .seconds(30))
    #expect(upload.retryMinimum == .seconds(1) && upload.retryMaximum == .seconds(300))
  }

  @Test("Every key is read")
  func everyKey() throws {
    let configuration = try PlatenConfiguration.parse(
      text: ConfigurationSamples.full, file: "f.yaml")
    #expect(configuration.rig.make == "Example & Sons" && configuration.rig.model == "Rig 2")
    #expect(configuration.board == .linux)
    let camera = configuration.camera
    #expect(camera.selection == .position(.back))
    #expect(camera.size == FrameSize(width: 4608, height: 2592) && camera.frameRate == 14.5)
    #expect(camera.pixelFormats == [.nv12, .yuv420] && camera.ringFrameCount == 12)
    #expect(camera.mountingAngle == 90)
    #expect(camera.stallTimeout == .seconds(3) && camera.maximumWait == .milliseconds(750))
    let shutter = try #require(configuration.shutter)
    #expect(shutter.line == .name("SHUTTER") && shutter.bias == .pullDown)
    #expect(!shutter.isActiveLow && shutter.debounce == .microseconds(12500))
    let accelerometer = try #require(configuration.accelerometer)
    #expect(accelerometer.device == "lis3dh" && accelerometer.trigger == "hrtimer0")
    #expect(accelerometer.rate == 25 && accelerometer.frozenAfter == .seconds(60))
    #expect(accelerometer.mountMatrix == MountMatrix(rows: (0, 1, 0), (-1, 0, 0), (0, 0, 1)))
    #expect(
      configuration.indicators == [
        .ready: .led("rig:green:ready"), .fault: .line(.name("FAULT"), isActiveLow: true),
        .upload: .line(.offset(chip: "pinctrl-bcm2835", offset: 22), isActiveLow: false),
      ])
    let thermal = try #require(configuration.thermal)
    #expect(thermal.zones == ["cpu-thermal", "camera-thermal"] && thermal.hysteresis == 2)
    #expect([thermal.fair, thermal.serious, thermal.critical] == [55, 65.5, 75])
    #expect(thermal.interval == .milliseconds(500) && thermal.seriousFrameRate == 8)
    #expect(configuration.image.quality == 95)
    #expect(configuration.spool.directory == "/srv/spool")
    #expect(configuration.spool.minimumFree == 1 << 30)
    #expect(configuration.spool.maximumBytes == 16 << 30)
    let upload = try #require(configuration.upload)
    #expect(upload.url == "https://pages.example:8443/inbox" && upload.prefix == "rigs/east-3")
    #expect(upload.certificateAuthorityFile == "/etc/platen/ca.pem")
    #expect(upload.login?.user == "rig")
    #expect(upload.login?.passwordFile == .credential("upload"))
    #expect(upload.connectTimeout == .seconds(5) && upload.stallTimeout == .seconds(60))
    #expect(upload.retryMinimum == .milliseconds(500) && upload.retryMaximum == .seconds(3600))
    #expect(configuration.api.socket == "/run/platen/other.sock")
    #expect(configuration.api.socketGroup == "platen" && configuration.log.level == .debug)
    #expect(configuration.simulation == nil)
  }

  @Test("frozen_after can be turned off")
  func frozenOff() throws {
    let text = ConfigurationSamples.least + "\naccelerometer: {frozen_after: off}\n"
    let configuration = try PlatenConfiguration.parse(text: text, file: "f.yaml")
    #expect(try #require(configuration.accelerometer).frozenAfter == nil)
  }

  @Test("A file is loaded by its path, which its errors repeat")
  func load() throws {
    let url = FileManager.default.temporaryDirectory
      .appendingPathComponent("configuration-\(UUID().uuidString).yaml")
    defer { try? FileManager.default.removeItem(at: url) }
    try Data(ConfigurationSamples.full.utf8).write(to: url)
    #expect(try PlatenConfiguration.load(path: url.path).rig.id == "east-3")

    try Data("board: lunix\n".utf8).write(to: url)
    let errors = #expect(throws: ConfigurationErrors.self) {
      try PlatenConfiguration.load(path: url.path)
    }
    #expect(errors?.description.hasPrefix("\(url.path):1:1: ") == true)

    try Data([UInt8](repeating: UInt8(ascii: "#"), count: 1 << 20)).write(to: url)
    #expect(
      Self.problems(url.path) == [
        "\(url.path):1:1: expected a mapping of sections, found an empty file"
      ])
    try Data([UInt8](repeating: UInt8(ascii: "#"), count: 1 << 20 + 1)).write(to: url)
    #expect(
      Self.problems(url.path) == ["\(url.path):1:1: expected at most 1048576 bytes, found more"])

    try Data("rig:\n  id: ".utf8 + [0xE9, 0x0A]).write(to: url)
    #expect(Self.problems(url.path) == ["\(url.path):2:7: expected UTF-8, found other bytes"])
  }

  @Test("A file that is not there, or is none, is an error without a line")
  func unreadable() throws {
    for path in ["/nonexistent/platen.yaml", "/"] {
      let problems = Self.problems(path)
      #expect(problems.count == 1)
      #expect(problems.first?.hasPrefix("\(path): expected a readable file, found none: ") == true)
    }
  }

  static func problems(_ path: String) -> [String] {
    do {
      _ = try PlatenConfiguration.load(path: path)
      return []
    } catch {
      return error.errors.map(\.description)
    }
  }
}
