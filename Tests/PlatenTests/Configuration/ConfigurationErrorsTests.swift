import Platen
import Testing

struct ConfigurationErrorsTests {
  /// A line of the full sample, what it becomes, and the errors that follow.
  struct Change: CustomStringConvertible {
    var line: String
    var becomes: String
    var errors: [String]
    var description: String { becomes }

    init(_ line: String, _ becomes: String, _ errors: String...) {
      self.line = line
      self.becomes = becomes
      self.errors = errors
    }
  }

  static let changes: [Change] = [
    // Unknown keys, with the allowed ones and a guess.
    Change(
      "  quality: 95", "  qualty: 95",
      #"f.yaml:45:3: "image.qualty": expected one of quality, found "qualty"; did you mean "quality"?"#
    ),
    Change(
      "log:", "logs:",
      #"f.yaml:63:1: "logs": expected one of rig, board, camera, shutter, accelerometer, indicators, thermal, image, spool, upload, api, log, simulation, found "logs"; did you mean "log"?"#
    ),
    Change(
      "  password_file: credential:upload", "  password: hunter2",
      #"f.yaml:54:9: "upload.user": expected "password_file" beside it, found it alone"#,
      #"f.yaml:55:3: "upload.password": expected one of url, prefix, ca_file, user, password_file, connect_timeout, stall_timeout, retry_minimum, retry_maximum, found "password"; did you mean "password_file"?"#
    ),
    Change(
      "  level: debug", "  level: debug\n  xyzzy: 1",
      #"f.yaml:65:3: "log.xyzzy": expected one of level, found "xyzzy""#),
    // Wrong types.
    Change(
      "  quality: 95", "  quality: high",
      #"f.yaml:45:12: "image.quality": expected a whole number of 1...100, found "high""#),
    Change(
      "  quality: 95", "  quality: \"95\"",
      #"f.yaml:45:12: "image.quality": expected a whole number of 1...100, found "95""#),
    Change(
      "  quality: 95", "  quality: [95]",
      #"f.yaml:45:12: "image.quality": expected a whole number of 1...100, found a list"#),
    Change(
      "  quality: 95", "  quality:",
      #"f.yaml:45:11: "image.quality": expected a whole number of 1...100, found nothing"#),
    Change(
      "  quality: 95", "  quality: !!int 95",
      #"f.yaml:45:12: "image.quality": expected a whole number of 1...100, found "95""#),
    Change(
      "  quality: 95", "  - 95", #"f.yaml:45:3: "image": expected a mapping, found a list"#),
    Change(
      "  active_low: false", "  active_low: no",
      #"f.yaml:19:15: "shutter.active_low": expected true or false, found "no""#),
    Change(
      "  line: SHUTTER", "  line: {name: SHUTTER}",
      #"f.yaml:17:9: "shutter.line": expected a line's name, found a mapping"#),
    Change(
      "  pixel_formats: [nv12, yuv420]", "  pixel_formats: nv12",
      #"f.yaml:11:18: "camera.pixel_formats": expected a list of pixel formats, found "nv12""#),
    Change(
      "  pixel_formats: [nv12, yuv420]", "  pixel_formats: []",
      #"f.yaml:11:18: "camera.pixel_formats": expected a list of pixel formats, found an empty list"#
    ),
    Change(
      "  pixel_formats: [nv12, yuv420]", "  pixel_formats: [nv12, nv21, nv12]",
      #"f.yaml:11:25: "camera.pixel_formats[1]": expected one of yuv420, nv12, yuyv, mjpeg, rgb, bgr, found "nv21""#,
      #"f.yaml:11:31: "camera.pixel_formats[2]": expected each value once, found "nv12" again"#),
    // Impossible values.
    Change(
      "  size: 4608x2592", "  size: 1920x0",
      #"f.yaml:9:9: "camera.size": expected a size such as 1920x1080, each side of 1...65500 pixels, found "1920x0""#
    ),
    Change(
      "  frame_rate: 14.5", "  frame_rate: 121",
      #"f.yaml:10:15: "camera.frame_rate": expected a number of 1...120 frames a second, found "121""#
    ),
    Change(
      "  ring_frames: 12", "  ring_frames: 2",
      #"f.yaml:12:16: "camera.ring_frames": expected a whole number of 3...32, found "2""#),
    Change(
      "  mounting_angle: 90", "  mounting_angle: 45",
      #"f.yaml:13:19: "camera.mounting_angle": expected 0, 90, 180 or 270, found "45""#),
    Change(
      "  stall_timeout: 3 s", "  stall_timeout: 3",
      #"f.yaml:14:18: "camera.stall_timeout": expected a duration of 200 ms to 1 min, such as 1 s, found "3""#
    ),
    Change(
      "  maximum_wait: 750 ms", "  maximum_wait: 2 h",
      #"f.yaml:15:17: "camera.maximum_wait": expected a duration of 10 ms to 1 min, such as 1 s, found "2 h""#
    ),
    Change(
      "  position: back", "  position: unspecified",
      #"f.yaml:8:13: "camera.position": expected one of front, back, external, found "unspecified""#
    ),
    Change(
      "  position: back", "  position: back\n  id: imx708",
      #"f.yaml:8:13: "camera.position": expected either "id" or "position", found both"#),
    Change(
      "  line: SHUTTER", "  line: SHUTTER\n  offset: 17",
      #"f.yaml:18:11: "shutter.offset": expected either "line" or "chip" and "offset", found both"#),
    Change(
      "  line: SHUTTER", "  offset: 17",
      #"f.yaml:17:11: "shutter.offset": expected "chip" beside it, found it alone"#),
    Change(
      "  line: SHUTTER", "  # none",
      #"f.yaml:18:3: "shutter.line": expected a line's name, found nothing: the key is required"#),
    Change(
      "  device: lis3dh", "  # none",
      #"f.yaml:23:3: "accelerometer.device": expected an IIO device's name or ID, found nothing: the key is required"#
    ),
    Change(
      #"  mount_matrix: "0, 1, 0; -1, 0, 0; 0, 0, 1""#, "  mount_matrix: 1, 0, 0; 1, 0, 0; 0, 0, 1",
      #"f.yaml:25:17: "accelerometer.mount_matrix": expected an invertible matrix such as "0, 1, 0; -1, 0, 0; 0, 0, 1", found "1, 0, 0; 1, 0, 0; 0, 0, 1""#
    ),
    Change(
      "  frozen_after: 1 min", "  frozen_after: never",
      #"f.yaml:26:17: "accelerometer.frozen_after": expected off or a duration of 1 s to 1 h, such as 1 s, found "never""#
    ),
    Change(
      "    led: rig:green:ready", "    led: rig:green:ready\n    line: READY",
      #"f.yaml:29:10: "indicators.ready.led": expected either "led" or a line, found both"#),
    Change(
      "    led: rig:green:ready", "    led: rig:green:ready\n    active_low: true",
      #"f.yaml:30:17: "indicators.ready.active_low": expected it only beside a line, found it beside "led""#
    ),
    Change(
      "    led: rig:green:ready", "    active_low: true",
      #"f.yaml:29:5: "indicators.ready": expected "led", "line", or "chip" and "offset", found none of them"#
    ),
    Change(
      "  serious: 65.5", "  serious: 55",
      #"f.yaml:39:12: "thermal.serious": expected "fair" to be below "serious", found 55 and 55"#),
    Change(
      "  hysteresis: 2", "  hysteresis: 0",
      #"f.yaml:41:15: "thermal.hysteresis": expected a number of 0.5...20 °C, found "0""#),
    Change(
      "  directory: /srv/spool", "  directory: spool",
      #"f.yaml:47:14: "spool.directory": expected an absolute path, found "spool""#),
    Change(
      "  directory: /srv/spool", "  directory: /srv/../spool",
      #"f.yaml:47:14: "spool.directory": expected an absolute path, found "/srv/../spool""#),
    Change(
      "  minimum_free: 1 GiB", "  minimum_free: 1 GB",
      #"f.yaml:48:17: "spool.minimum_free": expected a number of bytes with its unit, such as 256 MiB, found "1 GB""#
    ),
    Change(
      "  maximum_bytes: 16 GiB", "  maximum_bytes: 16 B",
      #"f.yaml:49:18: "spool.maximum_bytes": expected 1 MiB or more, such as 16 GiB, found "16 B""#),
    Change(
      "  url: https://pages.example:8443/inbox/", "  url: ftp://pages.example",
      #"f.yaml:51:8: "upload.url": expected an http or https URL without user, query and fragment, such as https://pages.example/inbox, found "ftp://pages.example""#
    ),
    Change(
      "  url: https://pages.example:8443/inbox/", "  # none",
      #"f.yaml:52:3: "upload.url": expected an http or https URL without user, query and fragment, such as https://pages.example/inbox, found nothing: the key is required"#
    ),
    Change(
      "  prefix: rigs/east-3", "  prefix: ../other",
      #"f.yaml:52:11: "upload.prefix": expected a relative path of letters, digits, _, -, . and /, found "../other""#
    ),
    Change(
      "  password_file: credential:upload", "  password_file: credential:../shadow",
      #"f.yaml:55:18: "upload.password_file": expected an absolute path, or credential:NAME, found "credential:../shadow""#
    ),
    Change(
      "  retry_maximum: 1 h", "  retry_maximum: 200 ms",
      #"f.yaml:59:18: "upload.retry_maximum": expected "retry_minimum" not to be above "retry_maximum", found 500 ms and 200 ms"#
    ),
    Change(
      "  socket: /run/platen/other.sock", "  socket: /" + String(repeating: "s", count: 107),
      #"f.yaml:61:11: "api.socket": expected an absolute path of at most 107 bytes, found "/"#
        + String(repeating: "s", count: 79) + "…\""),
    Change(
      "  level: debug", "  level: loud",
      #"f.yaml:64:10: "log.level": expected one of trace, debug, info, notice, warning, error, critical, found "loud""#
    ),
    Change(
      "  level: debug", "  level: debug\nsimulation:\n  seed: 2",
      #"f.yaml:66:3: "simulation": expected it only on the board simulated, found it on linux"#),
    Change(
      "  id: east-3", "  id: east 3",
      #"f.yaml:3:7: "rig.id": expected an ID of 1...64 letters, digits, _ and -, found "east 3""#),
    // Missing keys.
    Change(
      "board: linux", "# none",
      #"f.yaml:2:1: "board": expected one of simulated, linux, found nothing: the key is required"#),
    // Duplicate keys, and what else is wrong besides.
    Change(
      "  quality: 95", "  quality: 95\n  quality: 300",
      #"f.yaml:46:3: "image.quality": expected the key once, found it again after line 45"#,
      #"f.yaml:46:12: "image.quality": expected a whole number of 1...100, found "300""#),
    Change(
      "  id: east-3", "  id: east-3\n  \"id\": b\n  id: c\n  make: a\n  sise: 1",
      #"f.yaml:4:3: "rig.id": expected the key once, found it again after line 3"#,
      #"f.yaml:5:3: "rig.id": expected the key once, found it again after line 4"#,
      #"f.yaml:7:3: "rig.sise": expected one of id, make, model, found "sise""#,
      #"f.yaml:8:3: "rig.make": expected the key once, found it again after line 6"#),
    // Merge keys, aliases and anchors.
    Change(
      "  quality: 95", "  <<: {quality: 1}",
      #"f.yaml:45:3: "image.<<": expected one of quality, found "<<""#),
    Change(
      "  quality: 95", "  quality: &q 95\n  other: *q",
      #"f.yaml:46:10: expected the value itself, found the alias "*q""#),
    Change(
      "  quality: 95", "  [quality]: 95",
      #"f.yaml:45:3: "image": expected a key, found a list"#),
    // What is no YAML at all.
    Change(
      "  quality: 95", "  quality: 95: 96",
      "f.yaml:45:14: this is not YAML: mapping values are not allowed in this context"),
    Change(
      "  quality: 95", "  quality: \"95",
      "f.yaml:65:1: this is not YAML: while scanning a quoted scalar, found unexpected end of stream"
    ),
  ]

  @Test("Each fault is refused at its place, with what was expected", arguments: changes)
  func fault(_ change: Change) throws {
    let lines = ConfigurationSamples.full.split(separator: "\n", omittingEmptySubsequences: false)
    let index = try #require(lines.firstIndex { $0 == change.line })
    var changed = lines.map(String.init)
    changed[index] = change.becomes
    let errors = ConfigurationSamples.errors(changed.joined(separator: "\n") + "\n")
    #expect(errors == change.errors)
  }

  @Test("All errors of a file are reported, in its order")
  func allErrors() {
    let text = """
      rig: {make: ""}
      board: toaster
      camera: {size: big, frame_rate: 0, color: red}
      image: 90
      spool: {directory: x}
      """
    #expect(
      ConfigurationSamples.errors(text) == [
        #"f.yaml:1:6: "rig.id": expected an ID of 1...64 letters, digits, _ and -, found nothing: the key is required"#,
        #"f.yaml:1:13: "rig.make": expected text of 1...64 printable ASCII characters, found """#,
        #"f.yaml:2:8: "board": expected one of simulated, linux, found "toaster""#,
        #"f.yaml:3:16: "camera.size": expected a size such as 1920x1080, each side of 1...65500 pixels, found "big""#,
        #"f.yaml:3:33: "camera.frame_rate": expected a number of 1...120 frames a second, found "0""#,
        #"f.yaml:3:36: "camera.color": expected one of id, position, size, frame_rate, pixel_formats, ring_frames, mounting_angle, stall_timeout, maximum_wait, found "color""#,
        #"f.yaml:4:8: "image": expected a mapping, found "90""#,
        #"f.yaml:5:20: "spool.directory": expected an absolute path, found "x""#,
      ])
  }

  @Test(
    "Files without sections are refused",
    arguments: [
      ("", "f.yaml:1:1: expected a mapping of sections, found an empty file"),
      ("# nothing\n", "f.yaml:1:1: expected a mapping of sections, found an empty file"),
      ("- a\n", "f.yaml:1:1: expected a mapping, found a list"),
      ("hello", "f.yaml:1:1: expected a mapping, found \"hello\""),
      (
        "---\n---\n",
        "f.yaml:2:1: this is not YAML: expected a single document in the stream, but found another document"
      ),
      ("a: 1\n\u{1}", "f.yaml:2:1: this is not YAML: control characters are not allowed"),
    ])
  func noSections(_ text: String, _ error: String) {
    #expect(ConfigurationSamples.errors(text) == [error])
  }

  @Test("More than fifty errors are counted")
  func manyErrors() throws {
    let text = ConfigurationSamples.least + "\n" + (0..<80).map { "key\($0): 1\n" }.joined()
    let errors = #expect(throws: ConfigurationErrors.self) {
      try PlatenConfiguration.parse(text: text, file: "f.yaml")
    }
    #expect(errors?.errors.count == 80)
    let lines = try #require(errors).description.split(separator: "\n")
    #expect(lines.count == 51 && lines.last == "and 30 more errors")
  }

  @Test("A file of very many duplicate keys is refused soon")
  func manyDuplicates() {
    let text = (0..<2000).map { "key\($0 % 40): 1\n" }.joined()
    let errors = ConfigurationSamples.errors(text)
    #expect(errors.count == 1 && errors.first?.contains("found it twice") == true)
  }
}
