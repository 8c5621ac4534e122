package import Devices

/// The abilities of the camera in use: the answer to `GET /v1/session/capabilities`.
package struct CapabilitiesReport: Sendable, Hashable, Codable {
  /// The camera's ID; `nil` while no camera streams.
  package let camera: String?
  /// The kinds of brackets that the camera can take.
  package let brackets: [Word<Bracket.Kind>]
  /// The most frames of a bracket, as far as memory goes; 0 while no camera streams.
  package let bracketFrames: Int
  /// The flash modes that a press can ask for.
  package let flashModes: [Word<FlashMode>]
  /// The names of the lamps that brackets can light; `nil` for none.
  package let lamps: [String]?
  /// The camera's raw frames; `nil` when it has none, and while no camera streams.
  package let raw: RawReport?
  /// The size of the camera's own previews; `nil` while previews are scaled from the frames.
  package let preview: SizeReport?

  package init(
    camera: String?, brackets: [Word<Bracket.Kind>] = [], bracketFrames: Int = 0,
    flashModes: [Word<FlashMode>] = [], raw: RawReport? = nil,
    preview: SizeReport? = nil, lamps: [String] = []
  ) {
    self.lamps = lamps.isEmpty ? nil : lamps
    self.camera = camera
    self.brackets = brackets
    self.bracketFrames = bracketFrames
    self.flashModes = flashModes
    self.raw = raw
    self.preview = preview
  }
}
