import CLibcameraShim
import Devices

extension CameraCapabilities {
  /// Reads the shim's capabilities of a camera.
  init(_ shim: platen_camera_capabilities) {
    self.init(
      maximumVideoZoomFactor: shim.zoom_maximum, imageControls: Self.imageControls(shim),
      frameDurations: Self.numbers(shim.frame_duration_ns).flatMap(Self.durations))
    rawFormat = RawFormat(shim.raw)
    withUnsafeBytes(of: shim.offers) { bytes in
      let offers = bytes.bindMemory(to: platen_camera_offer.self).prefix(Int(shim.offer_count))
      for offer in offers {
        let name = shimText(of: offer.control)
        let ranges = [offer.ranges.0, offer.ranges.1].prefix(Int(offer.number_count))
        let control = CameraControl.allCases.first { $0.name == name }
        control?.insert(shimText(of: offer.word), ranges.map(Self.numbers), into: &self)
      }
    }
  }

  private static func imageControls(
    _ shim: platen_camera_capabilities
  ) -> [ImageControl: ClosedRange<Double>] {
    withUnsafeBytes(of: shim.real) { bytes in
      let listed = bytes.bindMemory(to: platen_camera_real_control.self)
        .prefix(Int(shim.real_count))
      var found: [ImageControl: ClosedRange<Double>] = [:]
      for real in listed {
        let name = shimText(of: real.name)
        guard let control = ImageControl.allCases.first(where: { $0.libcameraName == name })
        else { continue }
        found[control] = numbers(real.range) ?? control.range
      }
      return found
    }
  }

  private static func numbers(_ range: platen_camera_range) -> ClosedRange<Double>? {
    range.minimum <= range.maximum ? range.minimum...range.maximum : nil
  }
}
