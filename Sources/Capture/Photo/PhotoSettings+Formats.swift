import Devices

extension PhotoDelivery.Kind {
  /// The DNG file of the raw frame.
  package static let dng = PhotoDelivery.Kind(rawValue: PhotoFormat.dng.rawValue)
}

extension PhotoSettings {
  /// Returns the kinds of a capture's raw files, one for each frame.
  ///
  /// - Parameters:
  ///   - standard: the session's formats.
  ///   - stream: the running stream; a stream without raw frames gives no files.
  func rawDeliveries(
    _ standard: Set<PhotoFormat>, of stream: ResolvedStreamConfiguration?
  ) -> [PhotoDelivery.Kind] {
    guard (formats ?? standard).contains(.dng), stream?.raw != nil else { return [] }
    return deliveries(besides: []).map { _ in .dng }
  }

  /// Returns whether the press itself asks for a raw file that the stream cannot give.
  func asksInVain(_ stream: ResolvedStreamConfiguration?) -> Bool {
    formats?.contains(.dng) == true && stream != nil && stream?.raw == nil
  }
}

extension RefusalReason {
  /// The press asks for a DNG file, and the camera streams no raw frames.
  package static let noRawFrames = RefusalReason(rawValue: "noRawFrames")
}
