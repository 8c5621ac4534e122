package import Capture
package import Devices

/// The section `camera`: the choice of the camera and its settings.
///
/// | key | value | default |
/// |---|---|---|
/// | `id` | the camera's ID as libcamera lists it; excludes `position` and the section `cameras` | the first camera |
/// | `position` | `front`, `back` or `external`; excludes `id` and the section `cameras` | |
/// | `standby` | the role among `cameras` that takes over when the active camera fails repeatedly | none |
/// | `preset` | `document` (1024x768), `1080p`, `full` (the camera's largest) or `custom`; the closest is taken | `1080p`, with `size` `custom` |
/// | `size` | with `preset: custom`: wanted width and height | |
/// | `frame_rate` | wanted frames a second, 1 to 120 | 30 |
/// | `pixel_formats` | acceptable formats, the best first | `[yuv420, nv12, yuyv, mjpeg, rgb, bgr]` |
/// | `ring_frames` | finished frames that are kept, 3 to 20 | 8 |
/// | `maximum_captures` | pictures in progress at once; further presses are refused, 1 to 7 | 3 |
/// | `mounting_angle` | clockwise degrees by which the camera is turned in the rig: 0, 90, 180, 270 | 0 |
/// | `exposure`, `white_balance`, `focus`, `zoom`, `flicker` | fixed or automatic, see `CameraControlsReading.swift` | the camera's own |
/// | `stall_timeout` | silence after which the camera counts as stalled, 200 ms to 1 min | `1500 ms` |
/// | `maximum_wait` | the time that a press waits for its frame, 100 ms to 1 min | `2 s` |
/// | `settling_limit` | the time that a press waits for exposure, white balance and focus to settle, 0 to 10 s | `0 s` |
/// | `recovery` | ``RecoverySection`` | its defaults |
/// | `process` | the process of libcamera: a `separate` one that may be lost, or the `service` itself | `separate`; `board: simulated` has `service` only |
package struct CameraSection: Sendable, Hashable {
  /// The process of the cameras' library.
  package enum Process: String, Sendable, Hashable, CaseIterable {
    /// A separate process, which is killed and restarted when it hangs or dies.
    case separate
    /// The service's process.
    case service
  }

  /// The choice of the camera.
  package var camera = CaptureSessionConfiguration.CameraChoice.first
  /// The role of the camera that takes over; `nil` for none.
  package var standby: CameraRole?
  /// The size of the pictures.
  package var preset = SessionPreset.hd1920x1080
  /// The stream's settings; the size is the preset's, as far as it is known without the camera.
  package var stream = StreamConfiguration(
    size: FrameSize(width: 1920, height: 1080), frameRate: 30, ringFrameCount: 8)
  /// The camera's rotation in the rig, in degrees clockwise.
  package var mountingAngle = 0
  /// The silence after which the camera counts as stalled.
  package var stallTimeout = Duration.milliseconds(1500)
  /// The time that a press waits for its frame at most.
  package var maximumWait = Duration.seconds(2)
  /// The time that a press waits for the camera's automatics to settle at most.
  package var settlingLimit = Duration.zero
  /// The recovery from camera failures.
  package var recovery = RecoverySection()
  /// The process of the cameras' library; `nil` for the board's default.
  package var process: Process?

  init() {}

  init(_ section: ConfigurationMapping) {
    camera = CameraSection.choice(section) ?? camera
    standby = section.text("standby").map { CameraRole(rawValue: $0) }
    readPreset(section)
    stream.frameRate = section.number("frame_rate", in: 1...120) ?? stream.frameRate
    // libcamera provides at most 32 buffers: the driver holds four, and one is in transit.
    stream.ringFrameCount = section.integer("ring_frames", in: 3...20) ?? stream.ringFrameCount
    stream.leasedFrameCount =
      section.integer("maximum_captures", in: 1...7) ?? stream.leasedFrameCount
    let names = PixelFormat.allCases.map(\.rawValue).joined(separator: ", ")
    if let formats = section.list(
      "pixel_formats", expected: "one of \(names)", parse: { PixelFormat(rawValue: $0) })
    {
      if formats.isEmpty {
        section.note("expected at least one of \(names)", at: "pixel_formats")
      } else {
        stream.pixelFormats = formats
      }
    }
    stream.controls = section.cameraControls()
    mountingAngle =
      section.value("mounting_angle", expected: "0, 90, 180 or 270") { text in
        Int(text).flatMap { [0, 90, 180, 270].contains($0) ? $0 : nil }
      } ?? mountingAngle
    stallTimeout =
      section.duration("stall_timeout", in: .milliseconds(200)...(.seconds(60))) ?? stallTimeout
    maximumWait =
      section.duration("maximum_wait", in: .milliseconds(100)...(.seconds(60))) ?? maximumWait
    settlingLimit = section.duration("settling_limit", in: .zero...(.seconds(10))) ?? settlingLimit
    process = section.word("process", Process.self)
    recovery = section.section("recovery").map { RecoverySection($0) } ?? recovery
    section.refuseUnknownKeys()
  }

  /// Returns the camera that a section selects by `id` or `position`; `nil` for neither.
  static func choice(
    _ section: ConfigurationMapping
  ) -> CaptureSessionConfiguration.CameraChoice? {
    let id = section.text("id")
    let position = section.word("position", CameraPosition.self)
    if id != nil, position != nil {
      section.note("excludes \"id\"; keep one of the two", at: "position")
    }
    return position.map { .position($0.position) } ?? id.map { .id($0) }
  }

  private mutating func readPreset(_ section: ConfigurationMapping) {
    let size = section.size("size")
    let word = section.word("preset", Preset.self)
    switch word {
    case .document: preset = .document
    case .hd1920x1080: preset = .hd1920x1080
    case .full: preset = .photo
    case .custom where !section.has("size"):
      section.note("needs \"size\", for example 1600x1200", at: "preset")
    case .custom, nil: if let size { preset = .custom(size) }
    }
    if let word, word != .custom, section.has("size") {
      section.note("goes with \"preset: custom\" only", at: "size")
    }
    if let size = preset.fixedSize { stream.size = size }
  }

  private enum Preset: String, CaseIterable {
    case document
    case hd1920x1080 = "1080p"
    case full
    case custom
  }

  private enum CameraPosition: String, CaseIterable {
    case front, back, external

    var position: CameraDescription.Position {
      switch self {
      case .front: .front
      case .back: .back
      case .external: .external
      }
    }
  }
}
