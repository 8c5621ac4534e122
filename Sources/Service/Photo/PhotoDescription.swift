import Capture
import Devices
import Doctor
import Imaging
import Spool

/// The description of a photo besides its pixels, for its Exif segment and its sidecar.
struct PhotoDescription: Sendable {
  let photo: CapturedPhoto
  let rig: PhotoPipeline.Rig
  let wall: WallClockReading
  /// The pixels to an inch of the page; `nil` if unknown.
  let dotsPerInch: Double?
  /// A unique identifier of 32 hexadecimal digits (Exif 2.32, tag 0xA420).
  let uniqueID: String

  init(
    _ photo: CapturedPhoto, rig: PhotoPipeline.Rig, dpi: Double? = nil, wallClock: WallClock
  ) {
    self.photo = photo
    dotsPerInch = (photo.isAsConfigured ? dpi : nil) ?? photo.pixelsPerInch
    self.rig = rig
    wall = wallClock.reading(at: photo.frame.info.exposureMidpoint)
    uniqueID = (0..<2).map { _ in
      let digits = String(UInt64.random(in: .min ... .max), radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }

  private var orientation: ImageOrientation {
    ImageOrientation(clockwiseRotation: photo.captureAngle) ?? .up
  }

  /// The contents of the Exif segment, the same for all renditions.
  var exif: EXIFMetadata {
    let info = photo.frame.info
    return EXIFMetadata(
      orientation: orientation, make: rig.make, model: rig.model, software: rig.software,
      captured: WallClockTime(
        nanosecondsSince1970: wall.nanosecondsSinceEpoch, utcOffsetMinutes: wall.secondsFromGMT / 60
      ),
      clockIsSynchronized: wall.trust == .synchronized,
      exposureDuration: info.exposureDuration, isoSpeed: info.isoSpeed,
      lensPosition: info.lensPosition, dotsPerInch: dotsPerInch, imageUniqueID: uniqueID,
      rigID: rig.id,
      pressNumber: UInt64(max(0, photo.press.number)), selectionError: photo.selection.error)
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
    metadata.pressSource = photo.press.source.rawValue
    metadata.pressGesture = photo.press.gesture.rawValue
    metadata.pressButton = photo.press.button
    metadata.pressMonotonicNanoseconds = photo.press.time.nanoseconds
    metadata.orientation = Int(orientation.rawValue)
    metadata.captureAngle = photo.captureAngle
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
    metadata.adjusting = PressEntry.words(info.adjusting)
    metadata.camera = photo.camera.id
    metadata.mediaType = "image/jpeg"
    metadata.width = picture.size.width
    metadata.height = picture.size.height
    metadata.imageUniqueID = uniqueID
    metadata.jpegQuality = picture.quality
    // The prioritization has no effect on data that the camera has compressed.
    if !picture.isCamerasOwn {
      metadata.prioritization = photo.settings.prioritization.rawValue
    }
    if picture.rendition == .full {
      metadata.perceptualHash = hash?.description
    } else {
      metadata.rendition = picture.rendition.name
    }
    return metadata
  }
}
