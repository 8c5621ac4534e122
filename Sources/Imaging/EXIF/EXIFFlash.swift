package import Devices

/// The flash of a picture, as Exif writes it.
package struct EXIFFlash: Sendable, Hashable, Codable {
  /// The wanted mode.
  package var mode: FlashMode
  /// Whether the picture was exposed in the flash's light.
  package var isFired: Bool

  package init(mode: FlashMode, isFired: Bool) {
    self.mode = mode
    self.isFired = isFired
  }

  /// The value of the tag Flash (Exif 2.32, 0x9209): bit 0 for fired, bits 3 and 4 for the mode.
  ///
  /// A flash that could not be turned off has fired in no known mode, because Exif has no value for
  /// a suppressed flash that fired.
  package var value: UInt16 {
    switch (mode, isFired) {
    case (.on, false): 0x08
    case (.on, true): 0x09
    case (.off, false): 0x10
    case (.off, true): 0x01
    case (.auto, false): 0x18
    case (.auto, true): 0x19
    }
  }
}
