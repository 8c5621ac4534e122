package import Devices

/// The settings of one rendition of a frame.
package struct RenditionSettings: Sendable, Hashable {
  /// The rendition to make.
  package var rendition: Rendition
  /// The quality or size; an MJPEG frame of full size is passed on as it is.
  package var quality: JPEGQuality
  /// Whether the Exif segment gets a thumbnail, unless the picture itself is not larger.
  package var embedsThumbnail: Bool
  /// The limits of the picture where the page was found; `nil` for one that is never straightened.
  package var document: DocumentLimits?

  package init(
    rendition: Rendition, quality: JPEGQuality, embedsThumbnail: Bool = false,
    document: DocumentLimits? = nil
  ) {
    self.rendition = rendition
    self.quality = quality
    self.embedsThumbnail = embedsThumbnail
    self.document = document
  }
}

/// A picture that is ready to be stored, with the facts of its encoding.
package struct EncodedPicture: Sendable, Hashable {
  /// The rendition of the frame.
  package internal(set) var rendition: Rendition
  /// The bytes of the file.
  package let bytes: [UInt8]
  /// The numbers of columns and rows, before Exif's orientation.
  package let size: FrameSize
  /// The quality of the encoding, 1...100; `nil` for a picture that the camera encoded.
  package let quality: Int?
  /// The number of encodes; 0 for a picture that the camera encoded.
  package internal(set) var encodeCount: Int
  /// The position relative to the byte budget; `nil` without a budget.
  package let budgetFit: ByteBudgetSearch.Fit?
  /// Whether the Exif segment holds a thumbnail.
  package let hasThumbnail: Bool
  /// The findings about the page in this picture; `nil` for a picture that was not straightened.
  ///
  /// A straightened picture is upright without Exif's orientation, and the page is all of it. So
  /// the findings have neither outline nor regions.
  package var page: PageFindings?

  /// Whether the camera encoded the image, so that neither quality nor budget had an effect.
  package var isCamerasOwn: Bool { quality == nil }
}
