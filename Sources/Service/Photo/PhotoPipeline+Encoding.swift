import Capture
import Devices
import Imaging
import Logging
import PageSense
import RigConfiguration

/// The way of a frame to a photo's encoded files.
extension PhotoPipeline {
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
