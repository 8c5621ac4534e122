/// A small picture of a leased frame's moment, which the camera makes beside the frame.
///
/// The picture has the frame's shape, up to a hundredth. The frame's ``FrameLease`` reads the
/// memory and returns it to the camera.
package struct PreviewImage: Sendable {
  /// The layout of the samples in memory: ``PixelFormat/yuv420`` or ``PixelFormat/nv12``.
  package let format: StreamFormat
  /// The memory of the samples.
  package let memory: any FrameMemory

  package init(format: StreamFormat, memory: any FrameMemory) {
    self.format = format
    self.memory = memory
  }
}
