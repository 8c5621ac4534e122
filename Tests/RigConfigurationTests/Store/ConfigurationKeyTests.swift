import Settings
import Testing

@testable import RigConfiguration

@Suite struct ConfigurationKeyTests {
  /// A file with every section, and with each of several kinds once.
  static let everything = """
    rig: { id: rig-1 }
    board: linux
    api:
      socket: /run/s
      read: { users: [a] }
      act: { groups: [b] }
      tcp: { tokens: { jig: { hash: h, allow: read } } }
    log: { level: info }
    simulation: { seed: 1 }
    camera:
      exposure: { duration: 1 ms, gain: 1 }
      white_balance: { red: 1, blue: 1 }
      recovery: { reboot: false }
    cameras:
      main: { position: front }
    buttons:
      pedal: { line: PEDAL, single: shoot }
    shutter: { line: SHUTTER }
    accelerometer: { device: lis3dh }
    indicators:
      ready: { led: "rig:green:ready" }
      fault: { line: FAULT }
    lamp: { line: LAMP }
    lamps:
      left: { led: "rig:white:left" }
      right: { line: RIGHT }
    thermal:
      zones:
        cpu-thermal: { fair: 50 }
      serious: { limit: 70 }
      critical: { limit: 80 }
      shutdown: { limit: 90 }
    power: { method: none }
    image: { quality: 90, document: { long_side: 1024 }, deferred: { enabled: true } }
    page: { enabled: on }
    duplicates: { near_window: 1 }
    hands_free: { enabled: true }
    movie: { enabled: true }
    spool: { directory: /spool }
    ledger: { presses: 1000 }
    targets:
      dav: { kind: webdav, url: "https://h/" }
      put: { kind: put, url: "https://h/" }
      s3: { kind: s3, url: "https://h/", bucket: abc, access_key_id: a, secret_key_file: /s }
      tus: { kind: tus, url: "https://h/" }
      post: { kind: processing, url: "https://h/" }
      nas: { kind: sftp, url: "sftp://h/d", user: a, password_file: /p, known_hosts: /k }
      drive: { kind: directory, path: /drive }
    """

  /// Returns the path with capitals in place of the freely chosen names.
  private static func general(_ path: String) -> String {
    var parts = path.split(separator: ".").map(String.init)
    let names = [
      "targets": "NAME", "buttons": "NAME", "cameras": "ROLE", "indicators": "LIGHT",
      "lamps": "NAME",
    ]
    if parts.count > 1, let name = names[parts[0]] { parts[1] = name }
    if parts.count > 3, parts[1] == "tcp", parts[2] == "tokens" { parts[3] = "NAME" }
    if parts.count > 2, parts[0] == "thermal", parts[1] == "zones" { parts[2] = "ZONE" }
    return parts.joined(separator: ".")
  }

  @Test func `the table has exactly the keys that the reader takes`() {
    let taken = Set(
      PlatenConfiguration.keysLookedFor(in: Self.everything).map(Self.general))
    let explained = Set(PlatenConfiguration.keys.map(\.path))
    #expect(taken.subtracting(explained).sorted() == [], "taken and not explained")
    #expect(explained.subtracting(taken).sorted() == [], "explained and not taken")
    #expect(explained.count == PlatenConfiguration.keys.count)
  }

  static let paths: [(String, [String])] = [
    ("camera.frame_rate", ["camera.frame_rate"]),
    ("targets.archive.url", ["targets.NAME.url"]),
    ("indicators.ready.led", ["indicators.LIGHT.led"]),
    ("ledger", ["ledger", "ledger.presses"]), ("color", []),
    ("camera.exposure", ["camera.exposure", "camera.exposure.duration", "camera.exposure.gain"]),
  ]

  @Test(arguments: paths) func `a path is found with its names`(_ path: String, _ found: [String]) {
    #expect(PlatenConfiguration.keys.filter { $0.isMeant(by: path) }.map(\.path) == found)
  }

  @Test(arguments: PlatenConfiguration.keys) func `every key is explained`(_ key: ConfigurationKey)
  {
    #expect(!key.type.isEmpty && !key.meaning.isEmpty && !key.standard.isEmpty)
    // A key with a magnitude has its range, or says that it has no limit.
    if ["duration", "size"].contains(key.type) { #expect(key.range != nil, "\(key.path)") }
  }
}
