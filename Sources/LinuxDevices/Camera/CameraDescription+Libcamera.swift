import CLibcameraShim
import Devices

extension CameraDescription {
  /// Reads the shim's description.
  init(_ listed: platen_cameras_description) {
    let position: Position =
      switch listed.location {
      case PLATEN_CAMERAS_LOCATION_FRONT.rawValue: .front
      case PLATEN_CAMERAS_LOCATION_BACK.rawValue: .back
      case PLATEN_CAMERAS_LOCATION_EXTERNAL.rawValue: .external
      default: .unspecified
      }
    let hasSize = listed.width > 0 && listed.height > 0
    self.init(
      id: shimText(of: listed.id), model: shimText(of: listed.model), position: position,
      mountingRotation: Int(listed.rotation),
      largestSize: hasSize
        ? FrameSize(width: Int(listed.width), height: Int(listed.height)) : nil)
  }
}
