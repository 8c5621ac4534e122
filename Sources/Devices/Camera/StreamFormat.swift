/// What one frame of a running stream looks like in memory.
public struct StreamFormat: Sendable, Hashable, Codable {
  /// Columns and rows.
  public var size: FrameSize
  /// The order of the samples.
  public var pixelFormat: PixelFormat
  /// Bytes from one row of the first plane to the next; 0 for ``PixelFormat/mjpeg``.
  public var bytesPerRow: Int
  /// How luma and chroma are to be read.
  public var colorSpace: ColorSpace

  /// Makes a format.
  public init(size: FrameSize, pixelFormat: PixelFormat, bytesPerRow: Int, colorSpace: ColorSpace) {
    self.size = size
    self.pixelFormat = pixelFormat
    self.bytesPerRow = bytesPerRow
    self.colorSpace = colorSpace
  }

  /// One plane of a frame inside the frame's bytes.
  public struct Plane: Sendable, Hashable {
    /// Bytes from the frame's first byte.
    public var offset: Int
    /// Bytes from one row to the next.
    public var bytesPerRow: Int
    /// Rows.
    public var rows: Int
    /// Bytes in all.
    public var byteCount: Int { bytesPerRow * rows }
  }

  /// The planes, computed from the pixel format and ``bytesPerRow``; empty for ``PixelFormat/mjpeg``.
  ///
  /// libcamera's own count of planes depends on who allocated the buffer, so it is not used.
  public var planes: [Plane] {
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
  public var byteCount: Int { planes.reduce(0) { $0 + $1.byteCount } }
}
