package import Capture
import Devices
package import Settings

/// The section `camera`: the choice of the camera and its settings.
package struct CameraSection: Sendable, Hashable, SettingsPart {
  /// The process of the cameras' library.
  package enum Process: String, Sendable, Hashable, CaseIterable {
    /// A separate process, which is killed and restarted when it hangs or dies.
    case separate
    /// The service's process.
    case service
  }

  /// The session of the camera: its settings, stream, limits and gentle measures of recovery.
  package var session: CaptureSessionConfiguration
  /// The limits for restarts of the service and reboots of the machine.
  package var restarts = RestartRecord.Policy()
  /// The process of the cameras' library; `nil` for the board's default.
  package var process: Process?

  /// Makes the section of the defaults: the first camera, with pictures of 1920 × 1080 pixels.
  package init() {
    session = CaptureSessionConfiguration(
      camera: .first,
      stream: StreamConfiguration(size: FrameSize(width: 1920, height: 1080), frameRate: 30))
    session.settings.preset = .hd1920x1080
  }

  /// The settings of the section, in the order of its explanation.
  package static let settings: [Setting<CameraSection>] =
    selection + pictures + controls + limits

  /// Refuses keys that exclude or need each other.
  package mutating func agree(in section: SettingsSection) {
    CamerasSection.refuseTwoChoices(in: section)
    refuseSize(in: section)
    refuseRing(in: section)
    if let recovery = section.section("recovery") { refuseRecovery(in: recovery) }
  }

  private func refuseSize(in section: SettingsSection) {
    guard let preset = section.value("preset", Self.presets) else { return }
    if preset == nil, !section.has("size") {
      section.note("needs \"size\", for example 1600x1200", at: "preset")
    }
    if preset != nil, section.has("size") {
      section.note("goes with \"preset: custom\" only", at: "size")
    }
  }

  /// Refuses a ring that moves past a press's frame before the press is known.
  private func refuseRing(in section: SettingsSection) {
    let fewest = FrameSelector.fewestFrames(at: session.settings.frameRate ?? 30)
    guard section.has("ring_frames"), session.stream.ringFrameCount < fewest else { return }
    section.note(
      "must be \(fewest) or more at this \"frame_rate\": the frame of a press must be kept for "
        + "\(Int(FrameSelector.choiceTime.inMilliseconds)) ms, with its neighbors",
      at: "ring_frames")
  }
}

/// The settings besides those of the camera's controls and the recovery.
extension CameraSection {
  /// The choice of the only camera.
  private var choice: CaptureSessionConfiguration.CameraChoice {
    get { session.cameras[.main] ?? .first }
    set { session.cameras[.main] = newValue }
  }

  private static let selection = Setting<CameraSection>.cameraChoice(
    \.choice, besides: " and cameras", default: "the first camera")

  private static let role: SettingForm<CameraRole> =
    SettingForm<String>.text(range: "a role of cameras")
    .map({ CameraRole(rawValue: $0) }, text: { $0.rawValue })

  /// The presets by their words; `nil` stands for `custom`, whose size is a key of its own.
  private static let presets: SettingForm<SessionPreset?> = .words([
    "document": .document, "1080p": .hd1920x1080, "full": .photo, "custom": nil,
  ])

  private static let formats = CameraSection().session.stream.pixelFormats.map(\.rawValue)
    .joined(separator: ", ")

  private static let angle = SettingForm<Int>(
    "whole number", range: "0, 90, 180, 270 degrees clockwise", expected: "0, 90, 180 or 270",
    parse: { text in Int(text).flatMap { [0, 90, 180, 270].contains($0) ? $0 : nil } })

  // libcamera takes at most 32 buffers; the largest ring and the most captures need 28.
  private static let pictures: [Setting<CameraSection>] = [
    Setting(
      \.session.standby, "standby", role,
      "the camera that takes over when the active camera fails repeatedly"),
    Setting(
      \.session.settings.preset.word, "preset", presets,
      "the size of the pictures; document is 1024x768, full the camera's largest"),
    Setting(
      \.session.settings.preset.customSize, "size", .size,
      only: "with preset: custom, or without preset",
      "the wanted size of the pictures; the camera takes its closest"),
    Setting(
      \.session.settings.frameRate, "frame_rate", .number(1...120, unit: "frames a second"),
      "the wanted frame rate"),
    Setting(
      list: \.session.stream.pixelFormats, "pixel_formats", of: .word, needsElement: true,
      default: formats, "the acceptable formats of frames, the best first"),
    Setting(
      \.session.stream.wantsRaw, "raw", .boolean,
      "whether the camera gives raw frames even without dng in image.formats, so that a press may "
        + "ask for a DNG file"),
    Setting(
      \.session.stream.ringFrameCount, "ring_frames",
      .integer(FrameSelector.ringFrameCounts, unit: "frames"),
      "the number of finished frames that are kept for the choice; a high frame rate needs more"),
    Setting(
      \.session.maximumCapturesInFlight, "maximum_captures", .integer(1...7),
      "the maximum number of pictures in progress at once; further presses are refused"),
    Setting(
      \.session.mountingAngle, "mounting_angle", angle,
      "the angle by which the camera is turned in the rig"),
  ]

  private static let limits: [Setting<CameraSection>] = [
    Setting(
      \.session.stallTimeout, "stall_timeout",
      .duration(.milliseconds(200)...(.seconds(60))),
      "the time without a frame after which the camera counts as stalled"),
    Setting(
      \.session.maximumWait, "maximum_wait", .duration(.milliseconds(100)...(.seconds(60))),
      "the time that a press waits for its frame at most"),
    Setting(
      \.session.settlingLimit, "settling_limit", .duration(.zero...(.seconds(10))),
      "the time that a press waits for exposure, white balance and focus to settle at most"),
    Setting(
      \.process, "process", .word, only: "board: simulated has service only",
      default: "separate; with board: simulated service",
      "the process of libcamera: a separate one that may be lost, or the service's own"),
    recovery,
  ]
}

extension PlatenConfiguration {
  /// The setting of the section `camera`.
  static let cameraSetting: Setting<PlatenConfiguration> = .section(
    \.camera, "camera", "the choice of the camera, and its settings")
}

extension SessionPreset {
  /// The preset that a word names; `nil` for a custom size, which is set by ``customSize``.
  fileprivate var word: SessionPreset? {
    get { if case .custom = self { nil } else { self } }
    set { if let newValue { self = newValue } }
  }

  /// The size of a custom preset; `nil` for any other.
  fileprivate var customSize: FrameSize? {
    get { if case .custom(let size) = self { size } else { nil } }
    set { if let newValue { self = .custom(newValue) } }
  }
}
