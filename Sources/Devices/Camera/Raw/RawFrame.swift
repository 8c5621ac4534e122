/// The layout of a running stream's raw frames in memory.
package struct RawStreamFormat: Sendable, Hashable, Codable {
  /// The form of the samples.
  package var format: RawFormat
  /// The columns and rows of the sensor's mode, which may differ from those of the pictures.
  package var size: FrameSize
  /// The bytes from one row to the next.
  package var bytesPerRow: Int

  package init(format: RawFormat, size: FrameSize, bytesPerRow: Int) {
    self.format = format
    self.size = size
    self.bytesPerRow = bytesPerRow
  }

  /// The bytes of one frame.
  package var byteCount: Int { bytesPerRow * size.height }
}

/// The samples of a leased frame before any processing, from the same exposure.
///
/// The frame's ``FrameLease`` reads the memory and returns it to the camera.
package struct RawFrame: Sendable {
  /// The layout of the samples in memory.
  package let format: RawStreamFormat
  /// The numbers that turn the samples into colors.
  package let properties: RawProperties
  /// The memory of the samples.
  package let memory: any FrameMemory

  package init(format: RawStreamFormat, properties: RawProperties, memory: any FrameMemory) {
    self.format = format
    self.properties = properties
    self.memory = memory
  }
}
