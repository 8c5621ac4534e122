package import Capture
import Devices
package import Settings

/// The section `movie`: recordings, made of the camera's frames.
package struct MovieSection: SettingsPart, Hashable {
  /// Whether recordings can be made, for which the camera gives one frame more.
  package var isEnabled = false
  /// The settings of a recording for which nothing else is asked.
  package var recording: MovieSettings = {
    var settings = MovieSettings()
    settings.limits.duration = .seconds(3600)
    settings.limits.freeByteCount = 268_435_456
    return settings
  }()

  /// The ALSA device whose sound is recorded, for example `plughw:1,0`; `nil` for no sound.
  package var sound: String?

  /// Makes the section of a rig without recordings.
  package init() {}

  /// The keys of the section.
  package static let settings: [Setting<MovieSection>] = [
    Setting(\.isEnabled, "enabled", .boolean, "whether recordings can be made"),
    Setting(
      \.recording.preset, "preset", .word,
      "the size of the pictures; full is the whole field of view, with as many pixels as 1080p"),
    Setting(
      \.recording.frameRate, "frame_rate",
      .number(MovieSettings.frameRates, unit: "frames a second"),
      default: "that of the camera", "the most frames a second that are recorded"),
    Setting(
      \.bitRate, "bit_rate", .integer(MovieSettings.bitRates, unit: "bits a second"),
      default: "as many as the size needs", "the most bits a second of the pictures"),
    Setting(
      \.sound, "sound", SettingForm<String>.text("the name of an ALSA device").or("off"),
      "the ALSA device of the microphone, for example plughw:1,0; nothing listens without it"),
    Setting(
      \.recording.limits.duration, "maximum_duration",
      .duration(.seconds(1)...(.seconds(86_400))), "the recorded time after which a recording ends"),
    Setting(
      \.recording.limits.byteCount, "maximum_bytes", .bytes(from: 1_048_576), default: "no limit",
      "the size of all parts after which a recording ends"),
    Setting(
      \.recording.limits.freeByteCount, "minimum_free", .bytes(from: 1_048_576),
      "the space beside that of spool.minimum_free at which a recording ends"),
  ]

  /// The bits a second; `nil` for as many as the quality needs.
  private var bitRate: Int? {
    get { if case .bitRate(let bits) = recording.compression { bits } else { nil } }
    set { recording.compression = newValue.map { .bitRate($0) } ?? MovieSettings().compression }
  }
}

extension PlatenConfiguration {
  /// The number of frames of which a camera keeps and lends parts.
  private static let bufferLimit = 28

  /// Refuses recordings for which the camera has no frame left, and the gesture without them.
  func refuseMovies(_ root: SettingsSection) {
    guard movie.isEnabled else {
      for button in buttons {
        for (gesture, action) in button.actions where action == .record {
          root.section("buttons")?.section(button.name)?.note(
            "needs \"movie.enabled: true\"", at: gesture.rawValue)
        }
      }
      return
    }
    // Captures, the frame of an undecided gesture, and the movie's frame are lent beside the ring.
    let session = camera.session
    let frames = session.stream.ringFrameCount + session.maximumCapturesInFlight + 2
    guard frames > Self.bufferLimit else { return }
    root.section("movie")?.note(
      "needs \(frames - Self.bufferLimit) less in \"camera.ring_frames\" or "
        + "\"camera.maximum_captures\": a camera has room for \(Self.bufferLimit) frames",
      at: "enabled")
  }
}
