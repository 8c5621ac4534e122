/// The layout of a running stream's frame in memory.
package struct StreamFormat: Sendable, Hashable, Codable {
  /// The columns and rows.
  package var size: FrameSize
  /// The order of the samples.
  package var pixelFormat: PixelFormat
  /// The bytes from one row of the first plane to the next; 0 for ``PixelFormat/mjpeg``.
  package var bytesPerRow: Int
  /// The conversion of luma and chroma to colors.
  package var colorSpace: ColorSpace

  package init(size: FrameSize, pixelFormat: PixelFormat, bytesPerRow: Int, colorSpace: ColorSpace)
  {
    self.size = size
    self.pixelFormat = pixelFormat
    self.bytesPerRow = bytesPerRow
    self.colorSpace = colorSpace
  }

  /// A plane of a frame inside the frame's bytes.
  package struct Plane: Sendable, Hashable {
    /// The offset from the frame's first byte.
    package var offset: Int
    /// The bytes from one row to the next.
    package var bytesPerRow: Int
    /// The number of rows.
    package var rows: Int
    /// The total number of bytes.
    package var byteCount: Int { bytesPerRow * rows }
  }

  /// The planes, computed from format and ``bytesPerRow``; empty for ``PixelFormat/mjpeg``.
  ///
  /// libcamera's own count of planes depends on the buffer's allocator, so it is not used.
  package var planes: [Plane] {
    let rows = size.height
    let chromaRows = (rows + 1) / 2
    let luma = Plane(offset: 0, bytesPerRow: bytesPerRow, rows: rows)
    switch pixelFormat {
    case .yuv420:
      let chroma = bytesPerRow / 2
      return [
        luma,
        Plane(offset: luma.byteCount, bytesPerRow: chroma, rows: chromaRows),
        Plane(offset: luma.byteCount + chroma * chromaRows, bytesPerRow: chroma, rows: chromaRows),
      ]
    case .nv12:
      return [luma, Plane(offset: luma.byteCount, bytesPerRow: bytesPerRow, rows: chromaRows)]
    case .yuyv, .rgb, .bgr:
      return [luma]
    case .mjpeg:
      return []
    }
  }

  /// The bytes of one frame; 0 for ``PixelFormat/mjpeg``, whose frames differ in length.
  package var byteCount: Int { planes.reduce(0) { $0 + $1.byteCount } }
}
