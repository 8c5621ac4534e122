package import Devices

/// The flash of a capture, decided before its frame is chosen.
package struct ResolvedFlash: Sendable, Hashable {
  /// The wanted mode.
  package var mode: FlashMode
  /// Whether the capture takes a frame in the lamp's light (`isFlashEnabled`).
  package var isEnabled: Bool
}
