package import Devices

/// The settings of a session, as they were wanted.
///
/// In JSON, the keys of the controls stand beside the others.
package struct SessionSettingsReport: Sendable, Hashable {
  /// The role of the wanted camera.
  package let camera: String
  /// The preset: `document`, `1080p`, `full` or `custom`.
  package let preset: String
  /// The wanted size in pixels; only with the preset `custom`.
  package let size: SizeReport?
  /// The wanted frames a second, or `own`.
  package let frameRate: FrameRateSetting
  /// The wanted controls of the camera.
  package let controls: CameraControls
  /// The priority.
  package let prioritization: Word<QualityPrioritization>
  /// Whether quality may be lowered before presses have to be refused.
  package let fastCapture: Bool
  /// The lamp's light for pictures; `nil` where the rig's configuration says nothing about it.
  package let flash: Word<FlashMode>?

  package init(
    camera: String, preset: String, size: SizeReport? = nil, frameRate: FrameRateSetting = .own,
    controls: CameraControls = CameraControls(),
    prioritization: Word<QualityPrioritization> = Word(.balanced),
    fastCapture: Bool = true, flash: Word<FlashMode>? = nil
  ) {
    self.camera = camera
    self.preset = preset
    self.size = size
    self.frameRate = frameRate
    self.controls = controls
    self.prioritization = prioritization
    self.fastCapture = fastCapture
    self.flash = flash
  }
}

extension SessionSettingsReport: Codable {
  private enum Key: String, CodingKey {
    case camera, preset, size, frameRate, prioritization, fastCapture, flash
  }

  /// Reads a report.
  ///
  /// - Throws: `DecodingError`, ``APIError`` or ``Devices/InvalidValue``.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    self.init(
      camera: try container.decode(String.self, forKey: .camera),
      preset: try container.decode(String.self, forKey: .preset),
      size: try container.decodeIfPresent(SizeReport.self, forKey: .size),
      frameRate: try container.decode(FrameRateSetting.self, forKey: .frameRate),
      controls: try CameraControls(from: decoder),
      prioritization: try container.decode(
        Word<QualityPrioritization>.self, forKey: .prioritization),
      fastCapture: try container.decode(Bool.self, forKey: .fastCapture),
      flash: try container.decodeIfPresent(Word<FlashMode>.self, forKey: .flash))
  }

  /// Writes the report.
  ///
  /// - Throws: `EncodingError`.
  package func encode(to encoder: any Encoder) throws {
    try controls.encode(to: encoder)
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(camera, forKey: .camera)
    try container.encode(preset, forKey: .preset)
    try container.encodeIfPresent(size, forKey: .size)
    try container.encode(frameRate, forKey: .frameRate)
    try container.encode(prioritization, forKey: .prioritization)
    try container.encode(fastCapture, forKey: .fastCapture)
    try container.encodeIfPresent(flash, forKey: .flash)
  }
}

/// The controls in force: exposure, white balance, focus, zoom, noise reduction and image.
///
/// The controls follow the wanted settings. The camera's calibration fills the settings that are
/// left open, and the camera's capabilities limit all of them. In JSON, the keys of the controls
/// stand beside the others.
package struct ControlsReport: Sendable, Hashable {
  /// The controls that are set at the camera.
  package let controls: CameraControls
  /// Whether a calibration fixes at least one of the controls.
  package let isCalibrated: Bool
  /// The differences from the settings and the missing controls, a sentence for each.
  package let notes: [String]

  package init(controls: CameraControls, isCalibrated: Bool, notes: [String]) {
    self.controls = controls
    self.isCalibrated = isCalibrated
    self.notes = notes
  }
}

extension ControlsReport: Codable {
  private enum Key: String, CodingKey { case isCalibrated, notes }

  /// Reads a report.
  ///
  /// - Throws: `DecodingError` or ``Devices/InvalidValue``.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    self.init(
      controls: try CameraControls(from: decoder),
      isCalibrated: try container.decode(Bool.self, forKey: .isCalibrated),
      notes: try container.decode([String].self, forKey: .notes))
  }

  /// Writes the report.
  ///
  /// - Throws: `EncodingError`.
  package func encode(to encoder: any Encoder) throws {
    try controls.encode(to: encoder)
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(isCalibrated, forKey: .isCalibrated)
    try container.encode(notes, forKey: .notes)
  }
}
