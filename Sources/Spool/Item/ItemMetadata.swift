package import Devices

/// The time at which a picture was taken, on each available clock.
package struct CaptureTime: Sendable, Hashable, Codable {
  /// The kernel's `/proc/sys/kernel/random/boot_id`.
  ///
  /// Without it, ``monotonicNanoseconds`` has no meaning.
  package var bootID: String?
  /// The exposure's midpoint on `CLOCK_MONOTONIC` of that boot, in nanoseconds.
  package var monotonicNanoseconds: Int64?
  /// The same instant in nanoseconds since 1970-01-01 UTC, as far as it was known.
  package var wallNanoseconds: Int64?
  /// The trust in ``wallNanoseconds``.
  package var wallTrust: WallTrust

  package init(
    bootID: String?, monotonicNanoseconds: Int64?, wallNanoseconds: Int64?, wallTrust: WallTrust
  ) {
    self.bootID = bootID
    self.monotonicNanoseconds = monotonicNanoseconds
    self.wallNanoseconds = wallNanoseconds
    self.wallTrust = wallTrust
  }
}

/// The metadata of a picture or a recording; the sidecar holds them beside the file.
///
/// Every value that may be unknown is optional. A picture that was found without a sidecar is
/// still kept and delivered.
package struct ItemMetadata: Sendable, Hashable, Codable {
  /// The rig's name, the first part of the remote name.
  package var rigID: String
  /// The number of the press.
  package var pressNumber: Int64?
  /// The source of the press.
  package var pressSource: PressSource?
  /// The gesture of the press.
  package var pressGesture: Gesture?
  /// The name of the button that was pressed.
  package var pressButton: String?
  /// The press's kernel timestamp on `CLOCK_MONOTONIC` of the same boot, in nanoseconds.
  package var pressMonotonicNanoseconds: Int64?
  /// The time at which the picture was taken.
  package var captured: CaptureTime
  /// The EXIF orientation, 1...8.
  package var orientation: Int?
  /// The clockwise angle by which the picture has to be turned to be upright: 0, 90, 180 or 270.
  package var captureAngle: Int?
  /// The source of the angle.
  package var orientationSource: OrientationSource?
  /// The findings about the page, as far as they hold for this file; `nil` for an unread page.
  package var page: PageFindings?
  /// The time from the press to the exposure's midpoint, in nanoseconds; negative when before.
  package var selectionErrorNanoseconds: Int64?
  /// The value `unknown` when the camera does not report the exposure's time; otherwise `nil`.
  ///
  /// With `unknown`, the error may be about 60 ms larger.
  package var exposureMidpoint: String?
  /// The time from one frame to the next, in nanoseconds.
  package var frameIntervalNanoseconds: Int64?
  /// The driver's number of the frame; gaps are frames that it dropped.
  ///
  /// On a Raspberry Pi, frames that the sensor dropped leave no gap.
  package var frameSequence: Int64?
  /// The exposure, in nanoseconds.
  package var exposureNanoseconds: Int64?
  /// The gain as ISO 12232 speed.
  package var isoSpeed: Int?
  /// The gain before the converter, a factor.
  package var analogueGain: Double?
  /// The gain after the converter, a factor.
  package var digitalGain: Double?
  /// The white balance's gain of red, a factor.
  package var redGain: Double?
  /// The white balance's gain of blue, a factor.
  package var blueGain: Double?
  /// The light's color temperature in kelvins, as the camera judged it.
  package var colorTemperature: Int?
  /// The position of the lens in diopters; 0 is infinity.
  package var lensPosition: Double?
  /// The automatic controls that were still adjusting; `nil` for none.
  package var adjusting: [CameraAdjustment]?
  /// The camera's name in libcamera.
  package var camera: String?
  /// The media type, for example `image/jpeg` or `video/mp4`.
  package var mediaType: String?
  /// The width in pixels, before any rotation.
  package var width: Int?
  /// The height in pixels, before any rotation.
  package var height: Int?
  /// The EXIF `ImageUniqueID`, 32 hexadecimal digits.
  package var imageUniqueID: String?
  /// The difference hash of the upright picture: 64 bits as 16 hexadecimal digits.
  package var perceptualHash: String?
  /// The ID of an earlier picture that looks nearly the same; that picture may be gone.
  package var nearDuplicateOf: String?
  /// The number of bits in which the hashes of the two pictures differ, 0...64.
  package var nearDuplicateDistance: Int?

  /// The rendition of the frame, for example `thumbnail`; `nil` for the photo itself.
  package var rendition: String?
  /// The JPEG quality of the encoding, 1...100; `nil` for a picture that the camera encoded.
  package var jpegQuality: Int?
  /// The priority of the encoding; `nil` for a camera's encoding.
  package var prioritization: QualityPrioritization?
  /// The ID of the picture that this one replaces; the replaced picture stays.
  package var replacedItemID: String?
  /// The wanted flash; `nil` for a rig without a lamp.
  package var flash: FlashMode?
  /// Whether the frame was exposed in the lamp's light; `nil` for a rig without a lamp.
  package var isFlashFired: Bool?
  /// The mean number of frames that a part of the picture is an average of; `nil` for one frame.
  package var averagedFrames: Double?
  /// The reason that a picture of `quality` is no average, for example `heat`; `nil` otherwise.
  package var singleFrame: SingleFrameReason?
  /// The state of a picture whose final version follows; `nil` for a final picture.
  package var proxy: ProxyState?
  /// The number that all pictures of a bracket share, 32 hexadecimal digits.
  package var bracketID: String?
  /// The picture's number in its bracket, from 1; `nil` for the merged picture.
  package var bracketIndex: Int?
  /// The number of pictures in the bracket.
  package var bracketCount: Int?
  /// The exposure's difference from the metered one, in EV.
  package var exposureBias: Double?
  /// The name of the lamp that lit the picture alone; `nil` outside a bracket of lamps.
  package var lamp: String?
  /// The number of frames that the picture was merged of; `nil` for a picture of a single frame.
  package var mergedFrames: Int?
  /// The reason that a bracket is stored unmerged although merging is wanted, for example `heat`.
  package var unmerged: UnmergedReason?
  /// The value `true` when parts of the picture were lost on the way from the camera.
  package var isDamaged: Bool?

  /// The duration of a recording, in nanoseconds; `nil` for a picture.
  package var durationNanoseconds: Int64?
  /// The number of frames in a recording; `nil` for a picture.
  package var frameCount: Int64?
  /// The number of frames that a recording lacks, because they came faster than it was encoded.
  package var droppedFrames: Int64?
  /// The reason that the sound of a recording ended before it; `nil` when it did not.
  package var soundEnd: String?
  /// The value `true` for a recording that a crash cut off after its last whole fragment.
  ///
  /// The metadata are then those of the recording's beginning. For any other item it is `nil`.
  package var isCutOff: Bool?

  /// Makes metadata that know only the rig, the press and the time.
  package init(rigID: String, pressNumber: Int64?, captured: CaptureTime) {
    self.rigID = rigID
    self.pressNumber = pressNumber
    self.captured = captured
  }
}
