// The JSON of the controls, for the API and for the camera process.
//
// A reader takes all numbers, so that a camera can refuse those that it lacks. The function `check`
// of each value refuses the numbers that no camera has.

extension CameraControls: Codable {
  private enum Key: String, CodingKey { case image }

  /// Reads controls; skips unknown controls of the image.
  ///
  /// - Throws: `DecodingError`, or ``InvalidValue`` for an unknown word or key.
  package init(from decoder: any Decoder) throws {
    self.init()
    let container = try decoder.container(keyedBy: CameraControl.self)
    for control in CameraControl.allCases {
      do {
        try control.read(from: container, into: &self)
      } catch {
        // A noise reduction of another version is no reason to refuse the rest.
        if CameraControl.changeable.contains(control) { throw error }
      }
    }
    let image = try decoder.container(keyedBy: Key.self)
      .decodeIfPresent([String: Double].self, forKey: .image)
    for control in ImageControl.allCases { self.image[control] = image?[control.rawValue] }
  }

  /// Writes controls; omits a noise reduction and controls of the image that are not set.
  ///
  /// - Throws: `EncodingError`.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CameraControl.self)
    for control in CameraControl.allCases {
      guard CameraControl.changeable.contains(control) || control.word(in: self) != nil else {
        continue
      }
      try control.write(self, to: &container)
    }
    guard !image.isEmpty else { return }
    var others = encoder.container(keyedBy: Key.self)
    try others.encode(image, forKey: .image)
  }
}
