import Capture
import Devices
import Imaging
import Logging
import Spool

/// The pictures of a bracket, which are stored all together or not at all.
extension PhotoPipeline {
  /// The photos of a press on their way to the spool.
  struct EncodedPress: Sendable {
    /// The photos with their renditions, in the order in which they are stored.
    var photos: [Encoded] = []
    /// The photos whose raw frames are stored after them.
    var raw: [PhotoDescription] = []
  }

  /// Encodes a photo, those of its bracket, and the merged picture before them.
  func encodeAll(_ photo: CapturedPhoto) async throws -> EncodedPress {
    let photo = await readFirst(photo)
    var bracket = await merge(photo)
    let isReplaced = bracket.merged != nil && photo.settings.merge == .only
    var encoded = EncodedPress()
    if let merged = bracket.merged {
      let whole = describe(
        CapturedPhoto(mergedOf: bracket.steps),
        frames: FrameCount(merged, taken: bracket.steps.count))
      let first = try await encode(whole, merged: merged)
      encoded.photos.append(first)
    }
    // The other pictures are encoded without the memory of the merged frame.
    bracket.merged = nil
    for step in bracket.steps {
      let bracketID = encoded.photos.first?.description.bracketID
      guard isReplaced else {
        let next = try await encode(step, bracketID: bracketID)
        encoded.photos.append(next)
        if step.expectsRaw { encoded.raw.append(next.description) }
        continue
      }
      if step.expectsRaw { encoded.raw.append(describe(step, bracketID: bracketID)) }
    }
    return encoded
  }

  /// Stores the photos of a bracket in one step, and then their other renditions.
  ///
  /// - Returns: the outcome of the press. Another rendition that cannot be stored is logged and not
  ///   delivered.
  func store(
    bracket encoded: [Encoded], pressNumber: Int64, _ replaced: [Int64],
    _ deliver: @Sendable (PhotoDelivery) async -> Void
  ) async -> PressOutcome {
    await fillWindow()
    let match = encoded.first?.hash.flatMap { nearDuplicates.match(for: $0) }
    var encoded = encoded
    if let first = encoded.first {
      encoded[0].description.isRepeated = isRepeated(first)
    }
    var items: [NewItem] = []
    for picture in encoded {
      guard let photo = picture.pictures.first(where: { $0.rendition == .full }) else {
        return .refused(.encodingFailed)
      }
      var metadata = picture.description.metadata(of: photo, hash: picture.hash)
      if items.isEmpty, let match {
        metadata.nearDuplicateOf = match.id
        metadata.nearDuplicateDistance = match.distance
      }
      items.append(NewItem(bytes: photo.bytes, metadata: metadata, replacing: replaced))
    }
    let stored: [StoredItem]
    do throws(SpoolError) {
      stored = try await spool.store(group: items)
    } catch {
      logger.error(
        "the pictures of a bracket could not be stored, their press is refused",
        metadata: ["press.number": "\(pressNumber)", "error": "\(error)"])
      return .refused(error.code == .full ? .storageFull : .storageFailed)
    }
    guard let first = stored.first else { return .refused(.encodingFailed) }
    if !replaced.isEmpty, first.replacedItemID == nil { noteNothingReplaced(by: pressNumber) }
    newestLook = encoded.first?.look
    if let hash = encoded.first?.hash { nearDuplicates.add(hash, id: first.id.description) }
    var photos = stored.map { StoredPhoto($0) }
    for (index, item) in items.enumerated() { photos[index].add(item.metadata) }
    photos[0].nearDuplicateOf = match?.id
    photos[0].singleFrame = encoded.first?.description.singleFrame
    photos[0].mergedFrames = items[0].metadata.mergedFrames
    photos[0].unmerged = encoded.first?.description.photo.settings.unmerged
    photos[0].isDamaged = items.contains { $0.metadata.isDamaged == true }
    for (index, photo) in photos.enumerated() {
      await deliver(PhotoDelivery(kind: .photo, index: index + 1, photo: photo))
    }
    await storeRenditions(
      encoded, after: photos.count, replacing: first.replacedItemID, pressNumber, deliver)
    photos[0].companionIDs = photos.dropFirst().map(\.itemID)
    return .stored(photos[0])
  }

  private func storeRenditions(
    _ encoded: [Encoded], after count: Int, replacing replaced: ItemID?, _ pressNumber: Int64,
    _ deliver: @Sendable (PhotoDelivery) async -> Void
  ) async {
    var index = count
    for picture in encoded {
      for rendition in picture.pictures where rendition.rendition != .full {
        index += 1
        var metadata = picture.description.metadata(of: rendition, hash: nil)
        metadata.replacedItemID = replaced?.description
        do throws(SpoolError) {
          let stored = try await spool.store(NewItem(bytes: rendition.bytes, metadata: metadata))
          await deliver(
            PhotoDelivery(
              kind: .init(rawValue: rendition.rendition.name), index: index,
              photo: StoredPhoto(stored)))
        } catch {
          logger.error(
            "a rendition could not be stored, going on without it",
            metadata: [
              "press.number": "\(pressNumber)",
              "image.rendition": "\(rendition.rendition.name)", "error": "\(error)",
            ])
        }
      }
    }
  }
}

extension CapturedPhoto {
  /// Whether the frame is compressed and has not been checked for damage.
  var mayBeDamaged: Bool { bracket != nil && frame.format.pixelFormat == .mjpeg }
}

extension StoredPhoto {
  /// Makes the description of a stored item.
  fileprivate init(_ item: StoredItem) {
    self.init(
      itemID: item.id.description, path: item.path, byteCount: Int(item.byteCount),
      sha256: item.sha256)
  }
}
