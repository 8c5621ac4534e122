import Devices
import TestSupport

/// An image in memory that belongs to no camera.
final class ImageBuffer: FrameBuffer {
  private let bytes: [UInt8]

  private init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Returns the cameras of a system, with frames that are images which a closure gives.
  static func cameras(
    of base: any CameraSystem, _ image: @escaping @Sendable (FrameInfo) -> [UInt8]
  ) -> RelayedCameras {
    RelayedCameras(base) { lease in
      let format = StreamFormat(
        size: lease.format.size, pixelFormat: .mjpeg, bytesPerRow: 0, colorSpace: .unspecified)
      return FrameLease(info: lease.info, format: format, buffer: ImageBuffer(image(lease.info)))
    }
  }

  var fileDescriptor: Int32 { -1 }
  var offset: Int { 0 }
  var byteCount: Int { bytes.count }

  func readBytes(_ body: (UnsafeRawBufferPointer) -> Void) throws(DeviceError) {
    bytes.withUnsafeBytes(body)
  }

  func giveBack() {}
}
