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
/// | a ``Devices/CameraControl`` | its JSON, for example 2 for `zoom` |
/// | `image` | an object with numbers or `own`, by the names of ``Devices/ImageControl`` |
/// | `prioritization` | `speed`, `balanced` or `quality` |
/// | `flash` | `off`, `on` or `auto`: the lamp's light for pictures |
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
  /// The wanted values of ``changed``; the other controls have their defaults.
  package private(set) var controls = CameraControls()
  /// The controls that are changed.
  package private(set) var changed: Set<CameraControl> = []
  /// The wanted controls of the image; a missing one stays unchanged.
  package var image: [ImageControl: OwnOr<Double>]?
  /// The priority.
  package var prioritization: QualityPrioritization?
  /// Whether quality may be lowered before presses have to be refused.
  package var fastCapture: Bool?
  /// The lamp's light for pictures.
  package var flash: FlashMode?

  package init() {}

  /// Changes a control.
  ///
  /// - Parameter edit: sets the control's value.
  package mutating func set(_ control: CameraControl, _ edit: (inout CameraControls) -> Void) {
    changed.insert(control)
    edit(&controls)
  }

  /// Whether the change is empty.
  package var isEmpty: Bool { self == SessionChange() }
}

extension SessionChange: Codable {
  private enum Key: String, CodingKey, CaseIterable {
    case camera, preset, width, height, frameRate, image, prioritization, fastCapture
    case flash
  }

  /// Reads a change as ``SessionChange`` describes it.
  ///
  /// - Throws: `DecodingError`, or ``APIError`` or ``Devices/InvalidValue`` for an unknown key and
  ///   for a value that is not allowed.
  package init(from decoder: any Decoder) throws {
    try decoder.requireKeys(
      among: Key.allCases.map(\.rawValue) + CameraControl.changeable.map(\.rawValue))
    let container = try decoder.container(keyedBy: Key.self)
    let values = try decoder.container(keyedBy: CameraControl.self)
    try container.refuseNulls()
    try values.refuseNulls()
    camera = try container.decodeIfPresent(String.self, forKey: .camera)
    size = try SizeSetting(
      preset: container.decodeIfPresent(String.self, forKey: .preset),
      width: container.decodeIfPresent(Int.self, forKey: .width),
      height: container.decodeIfPresent(Int.self, forKey: .height))
    frameRate = try container.decodeIfPresent(FrameRateSetting.self, forKey: .frameRate)
    for control in CameraControl.changeable where values.contains(control) {
      try control.read(from: values, into: &controls)
      try control.check(controls)
      changed.insert(control)
    }
    if container.contains(.image) { image = try Self.image(container.superDecoder(forKey: .image)) }
    prioritization = try container.decodeWordIfPresent(.prioritization)
    fastCapture = try container.decodeIfPresent(Bool.self, forKey: .fastCapture)
    flash = try container.decodeWordIfPresent(.flash)
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
    var values = encoder.container(keyedBy: CameraControl.self)
    for control in changed { try control.write(controls, to: &values) }
    try container.encodeIfPresent(image, forKey: .image)
    try container.encodeIfPresent(prioritization, forKey: .prioritization)
    try container.encodeIfPresent(fastCapture, forKey: .fastCapture)
    try container.encodeIfPresent(flash, forKey: .flash)
  }
}

extension CameraControls {
  /// Applies the values that a change names.
  package mutating func apply(_ change: SessionChange) {
    for control in change.changed { copy(control, from: change.controls) }
    for (control, wanted) in change.image ?? [:] { image[control] = wanted.value }
  }
}
