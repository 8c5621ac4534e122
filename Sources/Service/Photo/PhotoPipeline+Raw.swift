import Capture
import Devices
import Imaging
import Logging
import Spool

/// The raw frames of photos, which are stored as DNG files after all other files of the press.
extension PhotoPipeline {
  /// Makes and stores the DNG files of a press, one after the other.
  ///
  /// A file is as large as its raw frame, so only one is in memory at a time. A file that cannot be
  /// made or stored is logged and not delivered. The frames are returned to the camera.
  ///
  /// - Parameters:
  ///   - encoded: the photos of the press, and those with raw frames.
  ///   - outcome: the outcome of the press; a refused press has no files.
  ///   - deliver: a function that is called for each file on stable storage.
  func storeRaw(
    of encoded: EncodedPress, after outcome: PressOutcome,
    _ deliver: @Sendable (PhotoDelivery) async -> Void
  ) async {
    var index = encoded.photos.reduce(0) { $0 + $1.pictures.count }
    for description in encoded.raw {
      let photo = description.photo
      defer { photo.frame.end() }
      guard case .stored = outcome else { continue }
      index += 1
      do {
        let item = try await encodeRaw(description)
        let stored = try await spool.store(item)
        await deliver(
          PhotoDelivery(
            kind: .dng, index: index,
            photo: StoredPhoto(
              itemID: stored.id.description, path: stored.path,
              byteCount: Int(stored.byteCount), sha256: stored.sha256)))
      } catch {
        logger.error(
          "a DNG file could not be made or stored, going on without it",
          metadata: [
            "press.number": "\(photo.press.number)",
            "image.rendition": "\(Rendition.dng.name)", "error": "\(error)",
          ])
      }
    }
  }

  /// Makes the item of a photo's raw frame, and returns the frame to the camera.
  private func encodeRaw(_ description: PhotoDescription) async throws -> NewItem {
    let photo = description.photo
    var exif = description.exif
    // A raw frame is a single one.
    exif.compositeImage = nil
    let xmp = description.xmp()
    let file: EncodedPicture = try await pool.perform { [exif] encoder, _ in
      defer { photo.frame.end() }
      return try EncodedPicture.dng(of: photo.frame, exif: exif, xmp: xmp, encoder: encoder)
    }
    var metadata = description.metadata(of: file, hash: nil)
    metadata.mediaType = "image/x-adobe-dng"
    metadata.averagedFrames = nil
    return NewItem(
      bytes: file.bytes, fileExtension: "dng", metadata: metadata,
      replacing: photo.settings.replacedPresses)
  }
}

extension CapturedPhoto {
  /// Whether the photo shall have a DNG file, so that its frame is needed longer.
  var expectsRaw: Bool { settings.expectedDeliveries.contains(.dng) }
}
