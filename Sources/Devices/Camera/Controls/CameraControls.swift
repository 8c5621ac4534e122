/// The controls of a camera's exposure, white balance, focus, zoom, noise reduction and image.
///
/// The words are AVFoundation's (`AVCaptureDevice`). Each value is complete: a control that it does
/// not set goes back to ``init()``. A control that a camera lacks is refused by name, and no part
/// of the value is applied. ``CameraCapabilities`` tells beforehand which controls a camera has.
package struct CameraControls: Sendable, Hashable {
  /// The mode of the exposure; `nil` leaves it to the camera, which every camera accepts.
  package var exposureMode: ExposureMode?
  /// The mode of the white balance; `nil` leaves it to the camera, which every camera accepts.
  package var whiteBalanceMode: WhiteBalanceMode?
  /// The mode of the focus; `nil` leaves it to the camera: continuous if possible, else unchanged.
  package var focusMode: FocusMode?
  /// The factor by which cropping narrows the field of view, 1 or more.
  ///
  /// 1 is the whole field, which every camera accepts.
  package var videoZoomFactor: Double
  /// The mains frequency that the automatic exposure must not beat with.
  package var flickerAvoidance: FlickerAvoidance
  /// The amount of noise reduction; `nil` leaves it to the camera, which every camera accepts.
  package var noiseReduction: NoiseReduction?
  /// The controls of the image that are set; the rest is left to the camera.
  package var image: [ImageControl: Double]

  /// Makes controls; without arguments all is left to the camera, which every camera accepts.
  package init(
    exposureMode: ExposureMode? = nil, whiteBalanceMode: WhiteBalanceMode? = nil,
    focusMode: FocusMode? = nil, videoZoomFactor: Double = 1,
    flickerAvoidance: FlickerAvoidance = .off, noiseReduction: NoiseReduction? = nil,
    image: [ImageControl: Double] = [:]
  ) {
    self.exposureMode = exposureMode
    self.whiteBalanceMode = whiteBalanceMode
    self.focusMode = focusMode
    self.videoZoomFactor = videoZoomFactor
    self.flickerAvoidance = flickerAvoidance
    self.noiseReduction = noiseReduction
    self.image = image
  }
}

extension CameraControls {
  /// Takes the value of a control from other controls.
  package mutating func copy(_ control: CameraControl, from other: CameraControls) {
    control.access.copy(from: other, to: &self)
  }

  /// Returns the controls that differ from others, with the rest left to the camera.
  package func changes(from other: CameraControls) -> CameraControls {
    var changes = CameraControls(image: image.filter { $0.value != other.image[$0.key] })
    for control in CameraControl.allCases
    where AnyHashable(control.value(in: self)) != AnyHashable(control.value(in: other)) {
      changes.copy(control, from: self)
    }
    return changes
  }
}

/// A control of a camera besides those of the image; the case's name is its key in JSON.
package enum CameraControl: String, Sendable, Hashable, CaseIterable, CodingKey {
  case zoom, exposure, whiteBalance, focus, flicker, noiseReduction

  fileprivate var access: any ControlAccess {
    switch self {
    case .zoom: Access(path: \.videoZoom)
    case .exposure: Access(path: \.exposureMode.ownOr)
    case .whiteBalance: Access(path: \.whiteBalanceMode.ownOr)
    case .focus: Access(path: \.focusMode.ownOr)
    case .flicker: Access(path: \.flickerAvoidance)
    case .noiseReduction: Access(path: \.noiseReduction.ownOr)
    }
  }

  /// The controls that a change of the session may name.
  ///
  /// The noise reduction follows from the prioritization.
  package static let changeable = allCases.filter { $0 != .noiseReduction }

  /// Returns the value of the control.
  func value(in controls: CameraControls) -> any ControlValue { access.value(in: controls) }

  /// The type of the control's value.
  var valueType: any ControlValue.Type { type(of: value(in: CameraControls())) }

  /// The control's name in a refusal, for example "focus mode".
  package var name: String { valueType.name }

  /// The words of the control; empty for a number.
  package var words: [String] { valueType.words }

  /// Adds a word of the control to a camera's capabilities; skips an unknown word.
  ///
  /// - Parameter ranges: the ranges of the word's numbers, `nil` for a range that the camera does
  ///   not report; fewer when the camera has not all of them.
  package func insert(
    _ word: String, _ ranges: [ClosedRange<Double>?] = [],
    into capabilities: inout CameraCapabilities
  ) {
    valueType.insert(word, ranges, into: &capabilities)
  }

  /// Returns the word of the control, which a camera must have; `nil` for a number and for none.
  package func word(in controls: CameraControls) -> String? { value(in: controls).word }

  /// Returns the numbers of the control's word, at most two.
  package func numbers(in controls: CameraControls) -> [Double] { value(in: controls).numbers }

  /// Returns the control and its value for people; `nil` for a value that changes nothing.
  ///
  /// - Parameter figure: formats a number with a unit, which may be empty.
  package func text(
    in controls: CameraControls, _ figure: (Double, String) -> String
  ) -> String? {
    value(in: controls).text(figure)
  }

  /// Checks that some camera may have the numbers of the control.
  ///
  /// - Throws: ``InvalidValue`` for a number out of its range.
  package func check(_ controls: CameraControls) throws(InvalidValue) {
    try value(in: controls).check()
  }

  /// Reads the value of the control from an object that must have it.
  ///
  /// - Throws: `DecodingError`, or ``InvalidValue`` for an unknown word or key.
  package func read(
    from container: KeyedDecodingContainer<CameraControl>, into controls: inout CameraControls
  ) throws {
    try access.read(self, from: container, into: &controls)
  }

  /// Writes the value of the control.
  ///
  /// - Throws: `EncodingError`.
  package func write(
    _ controls: CameraControls, to container: inout KeyedEncodingContainer<CameraControl>
  ) throws {
    try container.encode(value(in: controls), forKey: self)
  }
}

/// The access to the value of a control, whatever its type.
private protocol ControlAccess {
  func value(in controls: CameraControls) -> any ControlValue
  func copy(from other: CameraControls, to controls: inout CameraControls)
  func read(
    _ key: CameraControl, from container: KeyedDecodingContainer<CameraControl>,
    into controls: inout CameraControls
  ) throws
}

private struct Access<Value: ControlValue>: ControlAccess {
  let path: WritableKeyPath<CameraControls, Value>

  func value(in controls: CameraControls) -> any ControlValue { controls[keyPath: path] }

  func copy(from other: CameraControls, to controls: inout CameraControls) {
    controls[keyPath: path] = other[keyPath: path]
  }

  func read(
    _ key: CameraControl, from container: KeyedDecodingContainer<CameraControl>,
    into controls: inout CameraControls
  ) throws {
    controls[keyPath: path] = try container.decode(Value.self, forKey: key)
  }
}
