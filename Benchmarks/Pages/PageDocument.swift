import ArgumentParser
import Capture
import Foundation
import Devices
import Imaging
import RigConfiguration

/// The rendition `document` as the service makes it, with the limits of a new configuration.
enum PageDocument {
  /// Makes the file of a picture's page; a way up that is unknown is kept as it is.
  static func make(of picture: Pixmap, _ findings: PageFindings) throws -> Data {
    var image = ImageSection()
    image.renditions = [.document]
    let settings = image.settings(for: .balanced).filter { $0.rendition == .document }
    let exif = EXIFMetadata(
      orientation: ImageOrientation(clockwiseRotation: findings.textAngle ?? 0) ?? .up,
      make: "Platen", model: "bench", software: "platenbench",
      captured: WallClockTime(nanosecondsSince1970: 0, utcOffsetMinutes: 0),
      clockIsSynchronized: false, imageUniqueID: String(repeating: "0", count: 32),
      rigID: "bench", pressNumber: 1)
    let encoder = try PhotoEncoder()
    let pictures = try picture.samples.withUnsafeBytes { bytes in
      try encoder.encode(
        bytes: bytes, format: picture.format, exif: exif, renditions: settings,
        findings: findings)
    }
    guard let document = pictures.first else {
      throw ValidationError("A picture has no rendition \"document\".")
    }
    return Data(document.bytes)
  }
}
