/// The use of the lamp for one picture (`AVCaptureDevice.FlashMode`).
package enum FlashMode: String, Sendable, Hashable, Codable, CaseIterable {
  /// The picture is taken without the lamp's light.
  case off
  /// The picture is taken in the lamp's light.
  case on
  /// The picture is taken in the lamp's light if the page is too dark without it.
  case auto
}
