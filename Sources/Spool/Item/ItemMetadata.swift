/// How far a wall-clock time can be trusted.
public enum WallTrust: String, Sendable, Hashable, Codable {
  /// The clock was synchronised with a time server.
  case synchronised
  /// The clock had been set, from a saved time or by hand, but not synchronised in this boot.
  case estimated
  /// Nothing is known.
  case unknown
}

/// When a picture was taken, on each clock that there is.
public struct CaptureTime: Sendable, Hashable, Codable {
  /// The kernel's `/proc/sys/kernel/random/boot_id`, without which ``monotonicNanoseconds`` has no
  /// meaning.
  public var bootID: String?
  /// The exposure's midpoint on `CLOCK_MONOTONIC` of that boot, in nanoseconds.
  public var monotonicNanoseconds: Int64?
  /// The same instant in nanoseconds since 1970-01-01 UTC, as well as it was known.
  public var wallNanoseconds: Int64?
  /// How far ``wallNanoseconds`` can be trusted.
  public var wallTrust: WallTrust

  /// Makes a time.
  public init(
    bootID: String?, monotonicNanoseconds: Int64?, wallNanoseconds: Int64?, wallTrust: WallTrust
  ) {
    self.bootID = bootID
    self.monotonicNanoseconds = monotonicNanoseconds
    self.wallNanoseconds = wallNanoseconds
    self.wallTrust = wallTrust
  }
}

/// What is known of a picture besides its bytes; the sidecar holds it beside the image.
///
/// Everything that may be unknown is optional: a picture that was found without a sidecar is still
/// kept and delivered.
public struct ItemMetadata: Sendable, Hashable, Codable {
  /// The rig's name, the first part of the remote name.
  public var rigID: String
  /// The number of the press.
  public var pressNumber: Int64?
  /// Where the press came from, for example `button` or `api`.
  public var pressSource: String?
  /// The gesture of the press, for example `single`.
  public var pressGesture: String?
  /// The name of the button that was pressed.
  public var pressButton: String?
  /// The press's kernel timestamp on `CLOCK_MONOTONIC` of the same boot, in nanoseconds.
  public var pressMonotonicNanoseconds: Int64?
  /// When the picture was taken.
  public var captured: CaptureTime
  /// The EXIF orientation, 1...8.
  public var orientation: Int?
  /// The clockwise angle by which the picture has to be turned to be upright: 0, 90, 180 or 270.
  public var captureAngle: Int?
  /// How far the exposure's midpoint lies behind the press, in nanoseconds; negative when before.
  public var selectionErrorNanoseconds: Int64?
  /// `unknown` when the camera does not tell when it exposed the frame, so that the error may be some
  /// 60 ms more; `nil` when it does.
  public var exposureMidpoint: String?
  /// The time from one frame to the next, in nanoseconds.
  public var frameIntervalNanoseconds: Int64?
  /// The camera's number of the frame.
  public var frameSequence: Int64?
  /// The exposure, in nanoseconds.
  public var exposureNanoseconds: Int64?
  /// The gain as ISO 12232 speed.
  public var isoSpeed: Int?
  /// The gain before the converter, a factor.
  public var analogueGain: Double?
  /// The gain behind the converter, a factor.
  public var digitalGain: Double?
  /// The white balance's gain of red, a factor.
  public var redGain: Double?
  /// The white balance's gain of blue, a factor.
  public var blueGain: Double?
  /// The light's color temperature in kelvins, as the camera judged it.
  public var colorTemperature: Int?
  /// Where the lens stood, in dioptres; 0 is infinity.
  public var lensPosition: Double?
  /// The automatics that still looked for the right value, for example `focus`; `nil` when none did.
  public var adjusting: [String]?
  /// The camera as libcamera names it.
  public var camera: String?
  /// The media type, for example `image/jpeg`.
  public var mediaType: String?
  /// Pixels across, before any turning.
  public var width: Int?
  /// Pixels down, before any turning.
  public var height: Int?
  /// The EXIF `ImageUniqueID`, 32 hexadecimal digits.
  public var imageUniqueID: String?
  /// What the upright picture looks like: the 64 bits of its difference hash, 16 hexadecimal digits.
  public var perceptualHash: String?
  /// The earlier picture that looks nearly the same, by its ID; it may be gone by now.
  public var nearDuplicateOf: String?
  /// The bits in which the hashes of the two differ, 0...64.
  public var nearDuplicateDistance: Int?

  /// Which picture of the frame it is, for example `thumbnail`; `nil` for the photo itself.
  public var rendition: String?
  /// The JPEG quality it was encoded with, 1...100; `nil` for what the camera had encoded.
  public var jpegQuality: Int?
  /// What counted more when it was made: `speed`, `balanced` or `quality`; `nil` for what the
  /// camera had encoded.
  public var prioritization: String?
  /// The picture that it replaces, by its ID; that one stays where it is.
  public var replacedItemID: String?

  /// Makes metadata of which only the rig, the press and the time are known yet.
  public init(rigID: String, pressNumber: Int64?, captured: CaptureTime) {
    self.rigID = rigID
    self.pressNumber = pressNumber
    self.captured = captured
  }
}
