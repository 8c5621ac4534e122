import Devices

/// Cameras of another system that seem to compress their frames: each frame is the same JPEG image.
struct CompressingCameras: CameraSystem {
  let base: any CameraSystem
  /// The image, as large as the frames.
  let jpeg: [UInt8]

  func cameras() async throws(DeviceError) -> [CameraDescription] { try await base.cameras() }

  func open(_ id: CameraDescription.ID) async throws(DeviceError) -> any Camera {
    CompressingCamera(base: try await base.open(id), jpeg: jpeg)
  }

  func shutDown() async { await base.shutDown() }

  func startAnew() async { await base.startAnew() }
}

/// A camera whose leases are of JPEG images.
private struct CompressingCamera: Camera {
  let base: any Camera
  let jpeg: [UInt8]

  var identity: CameraDescription { base.identity }
  var capabilities: CameraCapabilities { get async { await base.capabilities } }

  func resolve(
    _ configuration: StreamConfiguration
  ) async throws(DeviceError) -> ResolvedStreamConfiguration {
    try await base.resolve(configuration)
  }

  func start(_ configuration: StreamConfiguration) async throws(DeviceError) -> CameraStream {
    try await base.start(configuration)
  }

  func lease(_ id: UInt64) async -> FrameLease? {
    guard let lease = await base.lease(id) else { return nil }
    return FrameLease(
      info: lease.info,
      format: StreamFormat(
        size: lease.format.size, pixelFormat: .mjpeg, bytesPerRow: 0, colorSpace: .unspecified),
      buffer: ImageBuffer(jpeg))
  }

  func setFrameRate(_ frameRate: Double) async throws(DeviceError) -> Duration {
    try await base.setFrameRate(frameRate)
  }

  func setControls(_ controls: CameraControls) async throws(DeviceError) {
    try await base.setControls(controls)
  }

  func stop() async { await base.stop() }

  func close() async { await base.close() }
}

/// An image that no camera wants back.
private final class ImageBuffer: FrameBuffer {
  private let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var fileDescriptor: Int32 { -1 }
  var offset: Int { 0 }
  var byteCount: Int { bytes.count }

  func readBytes(_ body: (UnsafeRawBufferPointer) -> Void) throws(DeviceError) {
    bytes.withUnsafeBytes(body)
  }

  func giveBack() {}
}
