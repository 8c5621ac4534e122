import Capture
import Devices
import Imaging
import Logging
import Spool

/// The way of an encoded photo into the spool.
extension PhotoPipeline {
  func store(
    _ encoded: Encoded, pressNumber: Int64, replacing replaced: [Int64],
    _ deliver: @Sendable (PhotoDelivery) async -> Void
  ) async -> PressOutcome {
    await fillWindow()
    let match = encoded.hash.flatMap { nearDuplicates.match(for: $0) }
    var description = encoded.description
    description.isRepeated = isRepeated(encoded)
    // The first file that is stored finds the replaced picture, the same for all files of a press.
    var replacing = replaced
    var replacedItemID: ItemID?
    var outcome = PressOutcome.refused(.encodingFailed)
    for (index, picture) in encoded.pictures.enumerated() {
      var metadata = description.metadata(of: picture, hash: encoded.hash)
      metadata.replacedItemID = replacedItemID?.description
      let isPhoto = picture.rendition == .full
      if isPhoto, let match {
        metadata.nearDuplicateOf = match.id
        metadata.nearDuplicateDistance = match.distance
      }
      var item = NewItem(bytes: picture.bytes, metadata: metadata, replacing: replacing)
      if isPhoto { item.source = encoded.source }
      do {
        let stored = try await spool.store(item)
        if !replacing.isEmpty {
          replacing = []
          replacedItemID = stored.replacedItemID
          if replacedItemID == nil { noteNothingReplaced(by: pressNumber) }
        }
        if isPhoto {
          newestLook = encoded.look
          if let hash = encoded.hash { nearDuplicates.add(hash, id: stored.id.description) }
        }
        var photo = StoredPhoto(
          itemID: stored.id.description, path: stored.path, byteCount: Int(stored.byteCount),
          sha256: stored.sha256, nearDuplicateOf: metadata.nearDuplicateOf,
          averagedFrames: metadata.averagedFrames,
          singleFrame: item.source != nil && !stored.isProxy
            ? .storage : description.singleFrame)
        photo.add(metadata)
        photo.mergedFrames = metadata.mergedFrames
        photo.isDamaged = metadata.isDamaged ?? false
        if isPhoto { outcome = .stored(photo) }
        let kind = isPhoto ? PhotoDelivery.Kind.photo : .init(rawValue: picture.rendition.name)
        await deliver(
          PhotoDelivery(
            kind: kind, index: index + 1, photo: photo, finality: stored.isProxy ? .proxy : .final))
      } catch {
        logger.error(
          isPhoto
            ? "a picture could not be stored, its press is refused"
            : "a rendition could not be stored, going on without it",
          metadata: [
            "press.number": "\(pressNumber)", "image.rendition": "\(picture.rendition.name)",
            "error": "\(error)",
          ])
        if isPhoto { return .refused(error.code == .full ? .storageFull : .storageFailed) }
      }
    }
    return outcome
  }

  func noteNothingReplaced(by pressNumber: Int64) {
    logger.notice(
      "a retake replaces nothing: the press before it has no picture",
      metadata: ["press.number": "\(pressNumber)"])
  }
}
