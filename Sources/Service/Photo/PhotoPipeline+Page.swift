package import Capture
package import Devices
import Foundation
import Imaging
import Logging
import PageSense
import RigConfiguration
import Spool

/// The reading of pages: which way up they are, and what is wrong with a picture.
extension PhotoPipeline {
  /// Returns the findings about the page in a frame; called on the encoders' threads.
  package typealias PageReading =
    @Sendable (UnsafeRawBufferPointer, StreamFormat) throws -> PageFindings
  /// Takes the clockwise angle that the text of a photo tells, where gravity cannot.
  package typealias TextAngleReceiver = @Sendable (Int, CapturedPhoto) async -> Void

  /// The maximum length of the findings in a sidecar, which has other contents, too.
  private static let maximumFindingBytes = 16 << 10
  /// The number of items among which a press has its photo.
  private static let itemsOfPress = 64

  /// Reads a page that has to be read before its pictures are encoded.
  ///
  /// Exif needs the angle where the text may decide, and a document the page's outline. The pictures of a bracket share the reading of
  /// the frame that is nearest to the metered exposure. All other pages are read beside the
  /// encoding.
  ///
  /// - Returns: the photo with the findings, turned as its text says if the text decides.
  func readFirst(_ photo: CapturedPhoto) async -> CapturedPhoto {
    guard let readPage, !readsBeside(photo), !photo.isHot || mayTurn(photo) else { return photo }
    let metered = CapturedPhoto(mergedOf: [photo] + photo.companions).frame
    let findings: PageFindings
    do {
      findings = try await pool.perform { _, _ in
        try metered.withBytes { bytes in
          try PhotoPipeline.checked(readPage(bytes, metered.format))
        }
      }
    } catch {
      noteUnread(error, pressNumber: photo.press.number)
      return photo
    }
    var photo = photo
    photo.page = findings
    for index in photo.companions.indices { photo.companions[index].page = findings }
    guard mayTurn(photo), let angle = findings.textAngle,
      ImageOrientation(clockwiseRotation: angle) != nil
    else { return photo }
    photo.turn(to: angle)
    await receiveTextAngle?(angle, photo)
    return photo
  }

  /// Returns the reading to do beside the encoding of a photo; `nil` for none.
  func readingBeside(_ photo: CapturedPhoto) -> PageReading? {
    guard let readPage, readsBeside(photo), !photo.isHot else { return nil }
    return { bytes, format in try PhotoPipeline.checked(readPage(bytes, format)) }
  }

  /// Whether the text may decide about the photo's angle.
  private func mayTurn(_ photo: CapturedPhoto) -> Bool {
    page.decidesOrientation && photo.orientationSource != .gravity
      && photo.orientationSource != .text
  }

  private func readsBeside(_ photo: CapturedPhoto) -> Bool {
    photo.page == nil && photo.bracket == nil && !mayTurn(photo)
      && !image.renditions.contains(.document)
  }

  /// Returns findings that a sidecar can hold.
  ///
  /// - Throws: `EncodingError` for a number that is none; ``ImagingError`` for too many findings.
  private static func checked(_ findings: PageFindings) throws -> PageFindings {
    guard try JSONEncoder().encode(findings).count <= maximumFindingBytes else {
      throw ImagingError(
        .metadataTooLarge, subject: "page", problem: "has more findings than a sidecar holds")
    }
    return findings
  }

  /// Logs once that a page could not be read.
  func noteUnread(_ error: any Error, pressNumber: Int64) {
    guard !hasLoggedUnreadPage else { return }
    hasLoggedUnreadPage = true
    logger.warning(
      "a page could not be read, its picture is stored without findings; not logged again",
      metadata: ["press.number": "\(pressNumber)", "error": "\(error)"])
  }

  /// Whether the page of a photo is compared with the one before.
  func comparesPages(_ photo: CapturedPhoto) -> Bool {
    readPage != nil && page.warnings.contains(.pageRepeated) && !photo.isHot
  }

  /// Returns whether a picture shows the page of the picture before; an empty page may.
  func isRepeated(_ encoded: Encoded) -> Bool {
    let photo = encoded.description.photo
    guard let look = encoded.look, photo.settings.replacedPresses.isEmpty,
      photo.page?.warnings.contains(.pageEmpty) != true, let before = newestLook
    else { return false }
    return look.isSamePage(as: before)
  }

  /// Has the first picture compared with the newest one of an earlier run.
  ///
  /// No press waits for the old file: a picture that is stored before is compared with none.
  package func compareWithEarlierRun() async {
    guard readPage != nil, page.warnings.contains(.pageRepeated) else { return }
    let look = await earlierLook()
    if !hasNewestLook { newestLook = look }
  }

  /// Returns the look of the newest picture of an earlier run, which its file and sidecar have.
  ///
  /// - Returns: `nil` when there is none, or when its file is gone: an older one would be of a page
  ///   before. The spool reports its own problems.
  private func earlierLook() async -> PageLook? {
    let items = (try? await spool.recentItems(limit: Self.itemsOfPress)) ?? []
    guard
      let item = items.first(where: {
        $0.metadata.mediaType == "image/jpeg" && $0.metadata.rendition == nil
          && $0.metadata.isFirstOfPress
      }), let width = item.metadata.width, let height = item.metadata.height,
      let file = try? await spool.head(of: item, byteCount: Int(item.byteCount)), !file.isEmpty
    else { return nil }
    let format = StreamFormat(
      size: FrameSize(width: width, height: height), pixelFormat: .mjpeg, bytesPerRow: 0,
      colorSpace: .jpeg)
    let look: PageLook? = try? await pool.perform { _, _ in
      try file.withUnsafeBytes {
        try PageLook(bytes: $0, format: format, outline: item.metadata.page?.outline)
      }
    }
    return look
  }
}

extension ItemMetadata {
  /// Whether the picture is the first one of its press; all pictures of a bracket show one page.
  var isFirstOfPress: Bool { bracketID ?? imageUniqueID == imageUniqueID }
}

extension CapturedPhoto {
  /// Turns all pictures of the press as their text says.
  fileprivate mutating func turn(to angle: Int) {
    (captureAngle, orientationSource) = (angle, .text)
    for index in companions.indices {
      companions[index].captureAngle = angle
      companions[index].orientationSource = .text
    }
  }
}

extension StoredPhoto {
  /// Adds what a file's metadata tell of the page.
  mutating func add(_ metadata: ItemMetadata) {
    captureAngle = metadata.captureAngle
    orientationSource = metadata.orientationSource
    page = metadata.page
  }
}

extension PhotoEncoder {
  /// Makes the files of a photo, and reads its page meanwhile.
  ///
  /// - Parameters:
  ///   - bytes: the bytes of the frame, or of the merged one.
  ///   - description: the photo's description, to which the findings are added.
  ///   - renditions: the pictures to make.
  ///   - stripeCount: the number of threads for the encoding.
  ///   - read: the reading of the page; `nil` for none.
  /// - Returns: the files, and the failure of the reading, which changes nothing.
  func encode(
    _ bytes: UnsafeRawBufferPointer, as description: inout PhotoDescription,
    _ renditions: [RenditionSettings], stripeCount: Int, reading read: PhotoPipeline.PageReading?
  ) throws -> (pictures: [EncodedPicture], failure: (any Error)?) {
    let (format, exif) = (description.photo.frame.format, description.exif)
    guard let read else {
      let findings = description.page
      let pictures = try encode(
        bytes: bytes, format: format, exif: exif, renditions: renditions, findings: findings,
        stripeCount: stripeCount, noteDocuments: { description.note($0) },
        xmp: { description.xmp(of: $0) })
      return (pictures, nil)
    }
    var failure: (any Error)?
    let pictures = try encode(
      bytes: bytes, format: format, exif: exif, renditions: renditions, stripeCount: stripeCount,
      reading: {
        do {
          description.photo.page = try read(bytes, format)
        } catch {
          failure = error
        }
        return description.xmp()
      })
    return (pictures, failure)
  }
}
