public import Devices

/// How one of the pictures of a frame is to be made.
public struct RenditionSettings: Sendable, Hashable {
  /// Which picture.
  public var rendition: Rendition
  /// How good, or how large; an MJPEG frame in full is passed on as it is.
  public var quality: JPEGQuality
  /// Whether a small picture is put into its Exif segment, unless it is not larger itself.
  public var embedsThumbnail: Bool

  /// Makes the settings of a rendition.
  public init(rendition: Rendition, quality: JPEGQuality, embedsThumbnail: Bool = false) {
    self.rendition = rendition
    self.quality = quality
    self.embedsThumbnail = embedsThumbnail
  }
}

/// A picture that is ready to be stored, and how it came about.
public struct EncodedPicture: Sendable, Hashable {
  /// Which picture of the frame.
  public let rendition: Rendition
  /// The file.
  public let bytes: [UInt8]
  /// Columns and rows, before Exif's orientation.
  public let size: FrameSize
  /// The quality it was made with, 1...100; `nil` for what the camera had encoded.
  public let quality: Int?
  /// How often it was encoded; 0 for what the camera had encoded.
  public let encodeCount: Int
  /// How it lies to its byte budget; `nil` without one.
  public let budgetFit: ByteBudgetSearch.Fit?
  /// Whether a thumbnail is in its Exif segment.
  public let hasThumbnail: Bool

  /// Whether it is the image that the camera made, in which neither quality nor budget had a say.
  public var isCamerasOwn: Bool { quality == nil }
}
