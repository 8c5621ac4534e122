package import Capture
import Devices
import Doctor
import Foundation
package import Imaging
package import Logging
import PageSense
package import RigConfiguration
package import Spool

/// The pipeline from a captured frame to a picture on stable storage.
///
/// An ``EncoderPool`` encodes: one picture uses all cores; several waiting pictures use one core
/// each. The frame's memory goes back to the camera as soon as it is encoded. Pictures are stored
/// in the order in which they come. The page of each press is read once, beside the encoding where
/// gravity has told which way up it is, else before. Each picture is compared with those stored before it, including
/// those of an earlier run. Near duplicates are marked, and stored like all others.
package actor PhotoPipeline {
  /// The facts about the rig in every picture.
  package struct Rig: Sendable {
    /// The rig's name.
    package var id: String
    /// The maker in EXIF (Make).
    package var make: String
    /// The model in EXIF (Model).
    package var model: String
    /// The software in EXIF (Software).
    package var software: String
    /// The kernel's name of this boot; `nil` when it cannot be read.
    package var bootID: String?

    package init(
      id: String, make: String, model: String, software: String, bootID: String?
    ) {
      self.id = id
      self.make = make
      self.model = model
      self.software = software
      self.bootID = bootID
    }
  }

  /// A photo's files and their description.
  struct Encoded: Sendable {
    var pictures: [EncodedPicture]
    var hash: PerceptualHash?
    /// The look of the page; `nil` where pages are not compared.
    var look: PageLook?
    var description: PhotoDescription
    /// The source of a proxy, which is on stable storage.
    var source: PendingSource?
    /// The reason that the page was not read; `nil` for none.
    var readingFailure: (any Error)?
    /// The damage of a bracket's frame in words; `nil` for a whole frame.
    var damage: String?
  }

  private let rig: Rig
  let spool: Spool
  private let wallClock = WallClock()
  let logger: Logger
  let image: ImageSection
  let page: PageSection
  /// The reading of a page; `nil` if pages are not read.
  let readPage: PageReading?
  private(set) var receiveTextAngle: TextAngleReceiver?
  /// Whether a page that could not be read has been logged.
  var hasLoggedUnreadPage = false
  let pool: EncoderPool
  /// The number of presses to average at once, because the disk was slow.
  var pressesToAverage = 0
  var nearDuplicates: NearDuplicates
  /// The look of the page of the newest stored picture; `nil` if it has none.
  var newestLook: PageLook? { didSet { hasNewestLook = true } }
  /// Whether a picture of this run is the newest stored one.
  private(set) var hasNewestLook = false
  private var isWindowFilled: Bool
  private let window: Int
  /// The ways of missing the byte budget that have been logged.
  private var loggedMisses: Set<ByteBudgetSearch.Fit> = []
  /// The previous picture until it has its outcome.
  private var previous: Task<PressOutcome, Never>?
  let availableMemory: @Sendable () -> Int?

  /// Makes a pipeline into a spool.
  ///
  /// - Parameters:
  ///   - rig: the facts about the rig in every picture.
  ///   - image: the files of a capture.
  ///   - page: the use of what is read of a page.
  ///   - readPage: the reading of a page; `nil` reads no pages.
  ///   - duplicates: the limits for near duplicates.
  ///   - coreCount: the number of cores for encoding, 1 or more; `nil` for all.
  ///   - availableMemory: a function that returns the machine's free memory in bytes; `nil` if
  ///     unknown.
  ///   - spool: the spool that stores the pictures.
  ///   - logger: the logger.
  package init(
    rig: Rig, image: ImageSection = ImageSection(), page: PageSection = PageSection(),
    readPage: PageReading? = nil,
    duplicates: NearDuplicates.Configuration = NearDuplicates.Configuration(),
    coreCount: Int? = nil,
    availableMemory: @escaping @Sendable () -> Int? = { AvailableMemory.read() }, spool: Spool,
    logger: Logger
  ) {
    self.availableMemory = availableMemory
    self.image = image
    self.page = page
    self.readPage = readPage
    pool = EncoderPool(coreCount: coreCount ?? ProcessInfo.processInfo.activeProcessorCount)
    nearDuplicates = NearDuplicates(duplicates)
    window = duplicates.window
    isWindowFilled = duplicates.window == 0
    self.rig = rig
    self.spool = spool
    self.logger = logger
  }

  /// Tells the angles of texts from now on, each before its picture is encoded.
  package func tellTextAngles(to receiver: @escaping TextAngleReceiver) {
    receiveTextAngle = receiver
  }

  /// Encodes and stores a photo.
  ///
  /// - Parameters:
  ///   - photo: the frame and its settings.
  ///   - deliver: a function that is called for each file on stable storage.
  /// - Returns: the outcome of the press: stored when the photo itself is. Another rendition that
  ///   cannot be stored is logged and not delivered.
  package func process(
    _ photo: CapturedPhoto, deliver: @escaping @Sendable (PhotoDelivery) async -> Void = { _ in }
  ) async -> PressOutcome {
    let number = photo.press.number
    let replaced = photo.settings.replacedPresses
    let encoding = Task { [self] in try await encodeAll(photo) }
    let task = Task { [previous, logger] () async -> PressOutcome in
      let result = await encoding.result
      // The spool writes one picture after the other anyway, so waiting for its answer costs
      // nothing.
      _ = await previous?.value
      switch result {
      case .success(let encoded):
        guard let first = encoded.photos.first else { return .refused(.encodingFailed) }
        let outcome: PressOutcome
        if encoded.photos.count > 1 {
          outcome = await self.store(
            bracket: encoded.photos, pressNumber: number, replaced, deliver)
        } else {
          outcome = await self.store(first, pressNumber: number, replacing: replaced, deliver)
        }
        await self.storeRaw(of: encoded, after: outcome, deliver)
        return outcome
      case .failure(let error):
        logger.error(
          "a picture could not be encoded, its press is refused",
          metadata: ["press.number": "\(number)", "error": "\(error)"])
        return .refused(.encodingFailed)
      }
    }
    previous = task
    return await task.value
  }

  private func store(
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

  /// Loads the pictures of an earlier run, once.
  func fillWindow() async {
    guard !isWindowFilled else { return }
    isWindowFilled = true
    // Without these pictures, there is less to compare with. The spool reports its own problems.
    for item in (try? await spool.recentItems(limit: window))?.reversed() ?? [] {
      guard item.metadata.isFirstOfPress,
        let hash = item.metadata.perceptualHash.flatMap({ PerceptualHash($0) })
      else { continue }
      nearDuplicates.add(hash, id: item.id.description)
    }
  }

  func describe(
    _ photo: CapturedPhoto, bracketID: String? = nil, frames: FrameCount? = nil
  ) -> PhotoDescription {
    PhotoDescription(
      photo, rig: rig, dpi: image.dpi, wallClock: wallClock, bracketID: bracketID, frames: frames,
      pageWarnings: page.warnings)
  }

  func encode(_ photo: CapturedPhoto, bracketID: String? = nil) async throws -> Encoded {
    // The memory is released now, because the camera needs it and the disk may be slow.
    defer { if !photo.expectsRaw { photo.frame.end() } }
    if let proxy = await encodeProxy(of: photo) { return proxy }
    let average = await average(photo)
    let frames = average.map { FrameCount($0, taken: 1 + photo.neighbors.count) }
    return try await encode(
      describe(photo, bracketID: bracketID, frames: frames), merged: average)
  }

  /// Encodes a merged frame, or the photo's frame without one.
  func encode(_ description: PhotoDescription, merged: MergedFrame?) async throws -> Encoded {
    let photo = description.photo
    let settings = image.settings(for: description.prioritization)
    let comparesPictures = window > 0
    let comparesPages = comparesPages(photo)
    let read = readingBeside(photo)
    let encoded: Encoded = try await pool.perform { encoder, stripeCount in
      try photo.withBytes(of: merged) { bytes in
        var description = description
        // The session had no time to look at the frames of a bracket.
        let damage = photo.mayBeDamaged ? JPEGDamage.find(in: bytes) : nil
        if damage != nil { description.photo.isDamaged = true }
        let (pictures, failure) = try encoder.encode(
          bytes, as: &description, settings, stripeCount: stripeCount, reading: read)
        // A picture that cannot be compared is stored all the same.
        let hash =
          comparesPictures
          ? try? PerceptualHash.compute(
            bytes: bytes, format: photo.frame.format, clockwiseRotation: photo.captureAngle)
          : nil
        let look =
          comparesPages
          ? try? PageLook(
            bytes: bytes, format: photo.frame.format, outline: description.photo.page?.outline)
          : nil
        return Encoded(
          pictures: pictures, hash: hash, look: look, description: description,
          readingFailure: failure, damage: damage)
      }
    }
    if let failure = encoded.readingFailure {
      noteUnread(failure, pressNumber: photo.press.number)
    }
    if let damage = encoded.damage {
      logger.warning(
        "a frame of a bracket came damaged, and is stored as it is",
        metadata: [
          "press.number": "\(photo.press.number)", "frame.id": "\(photo.selection.frame.id)",
          "cause": "\(damage)",
        ])
    }
    for (picture, wanted) in zip(encoded.pictures, settings) where picture.rendition == .full {
      check(picture, against: wanted.quality, pressNumber: photo.press.number)
    }
    return encoded
  }

  /// Logs once that a photo is too large, once that one is too small, with the cause.
  private func check(
    _ picture: EncodedPicture, against wanted: JPEGQuality, pressNumber: Int64
  ) {
    guard case .byteBudget(let budget, _, _) = wanted, let fit = picture.budgetFit,
      fit != .inside, loggedMisses.insert(fit).inserted
    else { return }
    let cause =
      picture.quality.map { "quality \($0) is as near as it gets" }
      ?? "the camera compresses its pictures itself"
    // For an empty page, no more bytes are possible, so a small photo is only a notice.
    logger.log(
      level: fit == .above ? .warning : .notice,
      "a photo misses its byte budget, which is not logged again",
      metadata: [
        "press.number": "\(pressNumber)", "image.bytes": "\(picture.bytes.count)",
        "image.budget": "\(budget.lowerBound)...\(budget.upperBound)",
        "image.fit": "\(fit.rawValue)", "image.cause": "\(cause)",
      ])
  }
}
