import Console
import Settings
import Spool
import Testing

@testable import RigConfiguration

/// The reading of a setup file, without a machine.
@Suite struct SetupDocumentTests {
  static let base = """
    # Pins of the header.
    rig: { id: rig-1 }
    board: simulated
    camera:
      frame_rate: 30   # the lamp's
    # The sensor's interrupt is not wired.
    accelerometer: { device: mpu6050, trigger: none }
    spool: { directory: /var/lib/platen }

    """
  static let text = """
    rig: { id: scanner-7 }
    camera: { frame_rate: 25 }
    accelerometer:
    time_zone: Europe/Paris
    targets:
      office:
        kind: webdav
        url: https://pages.example/dav/
        user: rig
        password: "under the: platen"   # from the safe
    """

  static func document(
    _ text: String, over base: String = SetupDocumentTests.base
  ) throws(ConfigurationErrors) -> SetupDocument {
    try SetupDocument(
      text, file: "setup", over: SetupBase(base) ?? .minimal,
      isZone: { $0.hasPrefix("Europe/") })
  }

  private func issues(_ text: String) -> [String] {
    do throws(ConfigurationErrors) {
      _ = try Self.document(text)
      return []
    } catch {
      return error.issues.map(\.description)
    }
  }

  private func place(_ secret: SetupSecret) -> String { "credential:\(secret.name)" }

  @Test func `the file's entries replace those of the base, whose other sections stay`() throws {
    let document = try Self.document(Self.text)
    #expect(document.timeZone == "Europe/Paris")
    #expect(document.secrets.map(\.name) == ["platen.targets.office.password"])
    #expect(document.secrets.map(\.value) == ["under the: platen"])
    let text = try #require(document.configurationText(place))
    #expect(
      text == """
        # Pins of the header.
        rig:
          id: scanner-7
        board: simulated
        camera:
          frame_rate: 25
        spool: { directory: /var/lib/platen }
        targets:
          office:
            kind: webdav
            url: https://pages.example/dav/
            user: rig
            password_file: "credential:platen.targets.office.password"

        """)
    let configuration = try PlatenConfiguration.parse(text, file: "made")
    #expect(configuration.rigID == "scanner-7" && configuration.accelerometer == nil)
  }

  @Test func `all faults are told at once with their places and without a secret`() {
    let found = issues(
      """
      rig: { id: "scanner 7" }
      camera: { frame_rate: 300 }
      time_zone: Paris
      hue: red
      targets:
        office: { kind: webdav, url: "https://pages.example/", user: rig, password: }
        store: { kind: put, url: "ftp://pages.example/", pasword: kept-from-logs }
      """)
    let places = [
      "setup:1:12: \"rig.id\"", "setup:2:23: \"camera.frame_rate\"", "setup:3:12: \"time_zone\"",
      "setup:4:1: \"hue\"", "setup:6:79: \"targets.office.password\"",
      "setup:7:28: \"targets.store.url\"", "setup:7:52: \"targets.store.pasword\"",
    ]
    #expect(found.count == places.count, "\(found)")
    for (issue, place) in zip(found, places) {
      #expect(issue.hasPrefix(place), "\(issue)")
    }
    #expect(!found.joined().contains("kept-from-logs"))
  }

  @Test(arguments: [
    "password: [a, b]", "password: a, password_file: /etc/secret", "secret_key: a",
  ])
  func `a secret that cannot be one is refused`(_ keys: String) {
    let text =
      "rig: { id: r }\ntargets: { a: { kind: put, url: \"https://a/\", user: u, \(keys) } }"
    let found = issues(text)
    #expect(found.count >= 1 && !found.joined().contains("\"a\"\""), "\(found)")
  }

  @Test func `a target is taken as a whole because its keys depend on its kind`() throws {
    let base = Self.base + "targets: { office: { kind: directory, path: /srv/pages } }\n"
    let document = try Self.document(Self.text, over: base)
    let text = try #require(document.configurationText(place))
    #expect(!text.contains("/srv/pages") && text.contains("kind: webdav"))
  }

  @Test func `a machine without a board file needs no more than the file`() throws {
    let document = try SetupDocument(
      "rig: { id: r }", file: "setup", over: .minimal, isZone: { _ in true })
    let text = try #require(document.configurationText(place))
    #expect(try PlatenConfiguration.parse(text, file: "made").spool.directory == "/var/lib/platen")
  }

  /// Each question's key is a key of a setup file, and the answers are enough for the kind.
  @Test func `the answers to all questions about each kind make a setup`() throws {
    let samples = [
      "url": "https://pages.example/", "bucket": "pages", "path": "/srv/pages",
      "host_key": "SHA256:uNiVztksCsDhcc0u9e8BrsXJq9d7bAHEuDwkjHCDZxI", "user": "rig \"7\"",
    ]
    let kind = try #require(
      PlatenConfiguration.keys.first { $0.path == "targets.NAME.kind" }?.range)
    #expect(
      Set(SetupQuestion.all.map { $0.key }) == Set(kind.split(separator: ", ").map(String.init)))
    for (kind, questions) in SetupQuestion.all {
      var answers = SetupAnswers(rig: "rig-1")
      var target = SetupAnswers.Target(name: "server", kind: kind)
      for question in questions { target.values[question.key] = samples[question.key] ?? "x-y" }
      if kind == "sftp" { target.values["url"] = "sftp://nas.example/scans" }
      answers.target = target
      answers.camera = "/base/soc/i2c0mux/imx708@1a"
      answers.timeZone = "Europe/Paris"
      let document = try Self.document(answers.document)
      let secrets = questions.filter(\.isSecret).map(\.key)
      #expect(document.secrets.compactMap { $0.entry.key.scalar } == secrets, "\(kind)")
      #expect(document.configurationText(place) != nil)
    }
  }
}
