package import Devices

/// The flash of a capture, decided before its frame is chosen.
package struct ResolvedFlash: Sendable, Hashable {
  /// The wanted mode.
  package var mode: FlashMode
  /// Whether the capture takes a frame in the lamp's light (`isFlashEnabled`).
  package var isEnabled: Bool

  /// The flash of a bracket of lamps: each picture is taken in the light of its step's lamp.
  static let ofStepLamps = ResolvedFlash(mode: .on, isEnabled: true)
}
