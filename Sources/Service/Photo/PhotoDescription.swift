import Capture
import Devices
import Doctor
import Imaging
import Spool

/// The description of a photo besides its pixels, for its Exif segment and its sidecar.
struct PhotoDescription: Sendable {
  var photo: CapturedPhoto
  let rig: PhotoPipeline.Rig
  let wall: WallClockReading
  /// The pixels to an inch of the page; `nil` if unknown.
  let dotsPerInch: Double?
  /// A unique identifier of 32 hexadecimal digits (Exif 2.32, tag 0xA420).
  let uniqueID: String
  /// The number that all pictures of a bracket share: the first one's ``uniqueID``.
  let bracketID: String?
  /// The numbers of frames that were averaged or merged; `nil` for none.
  private let frames: FrameCount?
  /// Whether the picture is a proxy, whose final version follows.
  var isProxy = false
  /// Whether the page is the one of the picture before.
  var isRepeated = false
  /// Whether the rendition `document` has letters that are too small for its reader.
  private var isDocumentTooSmall = false
  /// The warnings about a page that are given.
  private let pageWarnings: [PageWarning]

  init(
    _ photo: CapturedPhoto, rig: PhotoPipeline.Rig, dpi: Double? = nil, wallClock: WallClock,
    bracketID: String? = nil, frames: FrameCount? = nil,
    pageWarnings: [PageWarning] = PageWarning.allCases
  ) {
    self.photo = photo
    self.pageWarnings = pageWarnings
    self.frames = frames
    dotsPerInch = (photo.isAsConfigured ? dpi : nil) ?? photo.pixelsPerInch
    self.rig = rig
    wall = wallClock.reading(at: photo.frame.info.exposureMidpoint)
    uniqueID = (0..<2).map { _ in
      let digits = String(UInt64.random(in: .min ... .max), radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
    self.bracketID = photo.bracket == nil ? nil : bracketID ?? uniqueID
  }

  /// The reason that the picture is no average although *quality* is wanted; `nil` for none.
  var singleFrame: SingleFrameReason? {
    if isMerged || isProxy { return nil }
    if let frames { return frames.used > 1 ? nil : .unlike }
    return photo.singleFrame ?? (photo.neighbors.isEmpty ? nil : .failed)
  }

  /// The prioritization by which the picture is encoded.
  var prioritization: QualityPrioritization {
    isProxy ? .balanced : photo.settings.prioritization
  }

  /// The findings about the page with the wanted warnings; `nil` for a page that was not read.
  var page: PageFindings? {
    guard photo.page != nil || isRepeated else { return nil }
    var page = photo.page ?? PageFindings()
    if isRepeated { page.warnings.append(.pageRepeated) }
    if isDocumentTooSmall { page.warnings.append(.lettersTooSmall) }
    return wanted(page)
  }

  /// Returns findings with the warnings that are given, each once and in order.
  private func wanted(_ page: PageFindings) -> PageFindings {
    var page = page
    let problems = Set(page.warnings).intersection(pageWarnings)
    page.warnings = PageWarning.allCases.filter(problems.contains)
    return page
  }

  /// Notes the files of the photo: a warning about the document is one about the press.
  mutating func note(_ pictures: [EncodedPicture]) {
    isDocumentTooSmall = pictures.contains {
      $0.page?.warnings.contains(.lettersTooSmall) == true
    }
  }

  /// Returns the facts about the page for the files themselves.
  ///
  /// - Parameter document: the findings about the straightened page, for its file; `nil` for all
  ///   other renditions.
  func xmp(of document: PageFindings? = nil) -> XMPMetadata? {
    XMPMetadata(orientationSource: photo.orientationSource, page: document.map(wanted) ?? page)
  }

  /// Whether the picture was merged of those of a bracket.
  private var isMerged: Bool { frames != nil && photo.bracket != nil }

  private var orientation: ImageOrientation {
    ImageOrientation(clockwiseRotation: photo.captureAngle) ?? .up
  }

  /// The contents of the Exif segment, the same for all renditions.
  var exif: EXIFMetadata {
    let info = photo.frame.info
    var exif = EXIFMetadata(
      orientation: orientation, make: rig.make, model: rig.model, software: rig.software,
      captured: WallClockTime(
        nanosecondsSince1970: wall.nanosecondsSinceEpoch, utcOffsetMinutes: wall.secondsFromGMT / 60
      ),
      clockIsSynchronized: wall.trust == .synchronized,
      exposureDuration: info.exposureDuration, isoSpeed: info.isoSpeed,
      lensPosition: info.lensPosition, dotsPerInch: dotsPerInch, imageUniqueID: uniqueID,
      rigID: rig.id,
      pressNumber: UInt64(max(0, photo.press.number)), selectionError: photo.selection.error)
    exif.flash = photo.settings.flash.map {
      EXIFFlash(mode: $0.mode, isFired: photo.isFlashFired)
    }
    exif.compositeImage = frames.flatMap {
      EXIFCompositeImage(sourceCount: $0.taken, usedCount: $0.used)
    }
    exif.exposureBias = photo.bracket?.exposureBias
    exif.bracketPlace = photo.bracket.map { place in
      (place.index.map { "\($0) of \(place.count)" } ?? "\(place.count) merged")
        + (place.lamp.map { "; lamp: \($0)" } ?? "")
    }
    exif.bracketID = bracketID
    return exif
  }

  /// Returns the sidecar's contents for one of the files.
  func metadata(of picture: EncodedPicture, hash: PerceptualHash?) -> ItemMetadata {
    let info = photo.frame.info
    var metadata = ItemMetadata(
      rigID: rig.id, pressNumber: photo.press.number,
      captured: CaptureTime(
        bootID: rig.bootID, monotonicNanoseconds: info.exposureMidpoint.nanoseconds,
        wallNanoseconds: wall.nanosecondsSinceEpoch,
        wallTrust: wall.trust))
    metadata.pressSource = photo.press.source
    metadata.pressGesture = photo.press.gesture
    metadata.pressButton = photo.press.button
    metadata.pressMonotonicNanoseconds = photo.press.time.nanoseconds
    metadata.orientation = Int(orientation.rawValue)
    metadata.captureAngle = photo.captureAngle
    metadata.orientationSource = photo.orientationSource
    metadata.page = picture.page.map(wanted) ?? page?.holding(for: picture.rendition)
    metadata.selectionErrorNanoseconds = photo.selection.error.wholeNanoseconds
    metadata.exposureMidpoint = info.isMidpointKnown ? nil : "unknown"
    metadata.frameIntervalNanoseconds = photo.selection.frameInterval?.wholeNanoseconds
    metadata.frameSequence = Int64(clamping: info.sequence)
    metadata.exposureNanoseconds = info.exposureDuration?.wholeNanoseconds
    metadata.isoSpeed = info.isoSpeed
    metadata.analogueGain = info.analogueGain
    metadata.digitalGain = info.digitalGain
    metadata.redGain = info.whiteBalanceGains?.red
    metadata.blueGain = info.whiteBalanceGains?.blue
    metadata.colorTemperature = info.colorTemperature
    metadata.lensPosition = info.lensPosition
    metadata.adjusting = info.adjusting.isEmpty ? nil : info.adjusting
    metadata.flash = photo.settings.flash?.mode
    metadata.isFlashFired = photo.settings.flash.map { _ in photo.isFlashFired }
    metadata.averagedFrames = isMerged ? nil : frames.flatMap { $0.used > 1 ? $0.mean : nil }
    metadata.mergedFrames = isMerged ? frames?.taken : nil
    metadata.unmerged = photo.settings.unmerged
    metadata.isDamaged = photo.isDamaged ? true : nil
    metadata.singleFrame = singleFrame
    metadata.bracketID = bracketID
    metadata.bracketIndex = photo.bracket?.index
    metadata.bracketCount = photo.bracket?.count
    metadata.exposureBias = photo.bracket?.exposureBias
    metadata.lamp = photo.bracket?.lamp
    metadata.camera = photo.camera.id
    metadata.mediaType = "image/jpeg"
    metadata.width = picture.size.width
    metadata.height = picture.size.height
    if picture.page != nil {
      // A straightened picture is upright by itself.
      metadata.orientation = Int(ImageOrientation.up.rawValue)
      metadata.captureAngle = 0
    }
    metadata.imageUniqueID = uniqueID
    metadata.jpegQuality = picture.quality
    // The prioritization has no effect on data that the camera has compressed.
    if !picture.isCamerasOwn { metadata.prioritization = prioritization }
    if picture.rendition == .full {
      metadata.perceptualHash = hash?.description
    } else {
      metadata.rendition = picture.rendition.name
    }
    return metadata
  }
}
