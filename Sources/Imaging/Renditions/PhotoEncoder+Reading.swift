import Dispatch
package import Devices

/// The encoding of a photo beside the reading of its page.
extension PhotoEncoder {
  /// Makes the files of a photo, while the calling thread reads its page.
  ///
  /// The compression does not wait for the reading; the end of the first file does. A reading that
  /// is shorter than the compression costs a part of a core and hardly any time.
  ///
  /// - Parameters:
  ///   - bytes: the frame's bytes; only read during the call.
  ///   - format: the format of the bytes.
  ///   - exif: the picture's metadata.
  ///   - renditions: the pictures to make.
  ///   - stripeCount: the number of threads for the encoding; less than 1 counts as 1.
  ///   - read: a function that reads the page, and returns the metadata for all files; `nil` for
  ///     none.
  /// - Throws: ``ImagingError``, as
  ///   ``encode(bytes:format:exif:renditions:stripeCount:xmp:)`` does.
  package func encode(
    bytes: UnsafeRawBufferPointer, format: StreamFormat, exif: EXIFMetadata,
    renditions: [RenditionSettings], stripeCount: Int = 1, reading read: () -> XMPMetadata?
  ) throws(ImagingError) -> [EncodedPicture] {
    let hasRead = DispatchSemaphore(value: 0)
    var metadata: XMPMetadata?
    var result: Result<[EncodedPicture], ImagingError>?
    ParallelWork.perform(2) { index in
      // The caller's own part comes first, even if the system refuses a thread for the other one.
      if index == 0 {
        metadata = read()
        hasRead.signal()
      } else {
        result = Result { () throws(ImagingError) in
          try encode(
            bytes: bytes, format: format, exif: exif, renditions: renditions,
            stripeCount: stripeCount,
            xmp: { _ in
              hasRead.wait()
              hasRead.signal()
              return metadata
            })
        }
      }
    }
    return try result?.get() ?? []
  }
}
