package import Devices

/// A change of the running session: the body of `PATCH /v1/session`.
///
/// A missing key leaves its setting unchanged. An unknown key is an error, and so is `null`:
///
/// | key | value |
/// |---|---|
/// | `camera` | the role of a camera of this rig, for example `main` |
/// | `preset` | `document` (1024 × 768), `1080p` or `full`; excludes `width` and `height` |
/// | `width`, `height` | a size of one's own in pixels, 16...65536 each, both or none |
/// | `frameRate` | frames a second, 0.01...1000, or `own` for the camera's own |
/// | `zoom` | the factor by which the field of view is narrowed, 1...100 |
/// | `exposure` | `own`, `auto`, `locked`, or an object with `durationMicroseconds` and `gain` |
/// | `whiteBalance` | `own`, `auto`, `locked`, or an object with `red` and `blue` |
/// | `focus` | `own`, `continuous`, `auto` (once), `locked`, or an object with `dioptres` |
/// | `flicker` | the mains frequency in hertz, 50 or 60, or `off` |
/// | `image` | an object with numbers or `own`, by the names of ``Devices/ImageControl`` |
/// | `prioritization` | `speed`, `balanced` or `quality` |
/// | `fastCapture` | whether quality may be lowered before presses have to be refused |
///
/// All keys are applied at once or not at all. The camera takes the closest size that it has. Any
/// other setting that the camera does not support is refused by name.
package struct SessionChange: Sendable, Hashable {
  /// The role of the camera to use.
  package var camera: String?
  /// The wanted size of the pictures.
  package var size: SizeSetting?
  /// The wanted frames a second.
  package var frameRate: FrameRateSetting?
  /// The factor by which the field of view is narrowed.
  package var zoom: Double?
  /// The wanted mode of exposure.
  package var exposure: OwnOr<CameraControls.ExposureMode>?
  /// The wanted mode of white balance.
  package var whiteBalance: OwnOr<CameraControls.WhiteBalanceMode>?
  /// The wanted mode of focus.
  package var focus: OwnOr<CameraControls.FocusMode>?
  /// The mains frequency that the automatic exposure must not beat with.
  package var flicker: CameraControls.FlickerAvoidance?
  /// The wanted controls of the image; a missing one stays unchanged.
  package var image: [ImageControl: OwnOr<Double>]?
  /// The priority: `speed`, `balanced` or `quality`.
  package var prioritization: String?
  /// Whether quality may be lowered before presses have to be refused.
  package var fastCapture: Bool?

  package init() {}

  /// Whether the change is empty.
  package var isEmpty: Bool { self == SessionChange() }
}

extension SessionChange: Codable {
  private enum Key: String, CodingKey, CaseIterable {
    case camera, preset, width, height, frameRate, zoom, exposure, whiteBalance, focus, flicker
    case image, prioritization, fastCapture
  }

  /// Reads a change as ``SessionChange`` describes it.
  ///
  /// - Throws: `DecodingError`, or ``APIError`` or ``Devices/InvalidValue`` for an unknown key and
  ///   for a value that is not allowed.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(of: Key.allCases)
    camera = try container.decodeIfPresent(String.self, forKey: .camera)
    size = try SizeSetting(
      preset: container.decodeIfPresent(String.self, forKey: .preset),
      width: container.decodeIfPresent(Int.self, forKey: .width),
      height: container.decodeIfPresent(Int.self, forKey: .height))
    frameRate = try container.decodeIfPresent(FrameRateSetting.self, forKey: .frameRate)
    zoom = try container.decodeIfPresent(.zoom, in: CameraControls.videoZoomFactors)
    exposure = try container.decodeIfPresent(
      OwnOr<CameraControls.ExposureMode>.self, forKey: .exposure)
    whiteBalance = try container.decodeIfPresent(
      OwnOr<CameraControls.WhiteBalanceMode>.self, forKey: .whiteBalance)
    focus = try container.decodeIfPresent(
      OwnOr<CameraControls.FocusMode>.self, forKey: .focus)
    flicker = try container.decodeIfPresent(
      CameraControls.FlickerAvoidance.self, forKey: .flicker)
    if container.contains(.image) { image = try Self.image(container.superDecoder(forKey: .image)) }
    try exposure?.value?.check()
    try whiteBalance?.value?.check()
    try focus?.value?.check()
    prioritization = try container.decodeWordIfPresent(
      .prioritization, oneOf: PressSettings.prioritizations)
    fastCapture = try container.decodeIfPresent(Bool.self, forKey: .fastCapture)
  }

  private static func image(_ decoder: any Decoder) throws -> [ImageControl: OwnOr<Double>] {
    try decoder.requireKeys(among: ImageControl.allCases.map(\.rawValue))
    let image = try [ImageControl: OwnOr<Double>](from: decoder)
    for case (let control, .set(let value)) in image { try control.check(value) }
    return image
  }

  /// Writes the change in the form that ``init(from:)`` reads.
  ///
  /// - Throws: `EncodingError`.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encodeIfPresent(camera, forKey: .camera)
    switch size {
    case .preset(let name)?: try container.encode(name, forKey: .preset)
    case .custom(let width, let height)?:
      try container.encode(width, forKey: .width)
      try container.encode(height, forKey: .height)
    case nil: break
    }
    try container.encodeIfPresent(frameRate, forKey: .frameRate)
    try container.encodeIfPresent(zoom, forKey: .zoom)
    try container.encodeIfPresent(exposure, forKey: .exposure)
    try container.encodeIfPresent(whiteBalance, forKey: .whiteBalance)
    try container.encodeIfPresent(focus, forKey: .focus)
    try container.encodeIfPresent(flicker, forKey: .flicker)
    try container.encodeIfPresent(image, forKey: .image)
    try container.encodeIfPresent(prioritization, forKey: .prioritization)
    try container.encodeIfPresent(fastCapture, forKey: .fastCapture)
  }
}

extension CameraControls {
  /// Applies the values that a change names.
  package mutating func apply(_ change: SessionChange) {
    if let zoom = change.zoom { videoZoomFactor = zoom }
    if let exposure = change.exposure { exposureMode = exposure.value }
    if let whiteBalance = change.whiteBalance { whiteBalanceMode = whiteBalance.value }
    if let focus = change.focus { focusMode = focus.value }
    if let flicker = change.flicker { flickerAvoidance = flicker }
    for (control, wanted) in change.image ?? [:] { image[control] = wanted.value }
  }
}
