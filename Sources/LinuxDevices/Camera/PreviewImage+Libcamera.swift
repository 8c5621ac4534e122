import CLibcameraShim
import Devices

extension StreamFormat {
  /// Reads the shim's layout of previews; `nil` when there are none.
  init?(_ preview: platen_camera_preview) {
    guard preview.width > 0, let pixelFormat = PixelFormat(drmFourCC: preview.format) else {
      return nil
    }
    self.init(
      size: FrameSize(width: Int(preview.width), height: Int(preview.height)),
      pixelFormat: pixelFormat, bytesPerRow: Int(preview.stride),
      colorSpace: ColorSpace(shimValue: preview.color_space))
  }
}

extension PreviewImage {
  /// Makes the preview of a lease; `nil` when the lease has none.
  init?(
    _ format: StreamFormat, of lease: platen_camera_frame, memory: platen_camera_frame_memory
  ) {
    guard let memory = LibcameraSideMemory(.preview, of: lease, memory: memory) else { return nil }
    self.init(format: format, memory: memory)
  }
}
