/// What is written into a picture about how it was taken.
///
/// | tag | from |
/// |---|---|
/// | IFD0 Make, Model, Software | ``make``, ``model``, ``software`` |
/// | IFD0 Orientation | ``orientation`` |
/// | IFD0 XResolution, YResolution, ResolutionUnit | ``dotsPerInch`` |
/// | DateTime, DateTimeOriginal, DateTimeDigitized with SubSecTime and OffsetTime | ``captured`` |
/// | ExposureTime | ``exposureDuration`` |
/// | PhotographicSensitivity, SensitivityType, RecommendedExposureIndex | ``isoSpeed`` |
/// | SubjectDistance | ``lensPosition`` |
/// | ImageUniqueID | ``imageUniqueID`` |
/// | BodySerialNumber | ``rigID`` |
/// | UserComment | ``comment``: press, rig, selection error, clock |
///
/// Exif has no tag for the number of a press: ImageNumber (0x9211) belongs to TIFF/EP.
public struct EXIFMetadata: Sendable, Hashable {
  /// How the picture has to be turned to be seen upright.
  public var orientation: ImageOrientation
  /// Who made the rig.
  public var make: String
  /// The model of the rig.
  public var model: String
  /// Name and version of the program.
  public var software: String
  /// The exposure's midpoint by the wall clock; the best estimate when the clock is not trusted.
  public var captured: WallClockTime
  /// Whether the wall clock was known to be right.
  public var clockIsSynchronized: Bool
  /// How long each row was exposed; `nil` when the camera does not say.
  public var exposureDuration: Duration?
  /// The ISO speed that the gains amount to; `nil` when the camera does not say.
  public var isoSpeed: Int?
  /// The lens position in dioptres, 0 being infinity; `nil` when the camera does not say.
  public var lensPosition: Double?
  /// The pixels to an inch of the page, above 0; `nil` when that is not known, for which Exif writes 72.
  public var dotsPerInch: Double?
  /// The picture's own number in 32 hexadecimal digits.
  public var imageUniqueID: String
  /// The rig's name in the fleet.
  public var rigID: String
  /// The number of the press the picture belongs to.
  public var pressNumber: UInt64
  /// The exposure's midpoint minus the instant of the press; `nil` when there was no instant.
  public var selectionError: Duration?

  /// Makes the metadata of a picture.
  public init(
    orientation: ImageOrientation, make: String, model: String, software: String,
    captured: WallClockTime, clockIsSynchronized: Bool, exposureDuration: Duration? = nil,
    isoSpeed: Int? = nil, lensPosition: Double? = nil, dotsPerInch: Double? = nil,
    imageUniqueID: String, rigID: String, pressNumber: UInt64, selectionError: Duration? = nil
  ) {
    self.orientation = orientation
    self.make = make
    self.model = model
    self.software = software
    self.captured = captured
    self.clockIsSynchronized = clockIsSynchronized
    self.exposureDuration = exposureDuration
    self.isoSpeed = isoSpeed
    self.lensPosition = lensPosition
    self.dotsPerInch = dotsPerInch
    self.imageUniqueID = imageUniqueID
    self.rigID = rigID
    self.pressNumber = pressNumber
    self.selectionError = selectionError
  }

  /// The UserComment, for example
  /// `press: 42; rig: east-3; selection error: -3.214 ms; clock: synchronised`.
  public var comment: String {
    var parts = ["press: \(pressNumber)", "rig: \(rigID)"]
    if let selectionError {
      parts.append("selection error: \(Self.milliseconds(selectionError)) ms")
    }
    parts.append("clock: " + (clockIsSynchronized ? "synchronised" : "unsynchronised"))
    return parts.joined(separator: "; ")
  }

  private static func milliseconds(_ duration: Duration) -> String {
    let (seconds, attoseconds) = duration.components
    let microseconds = seconds * 1_000_000 + attoseconds / 1_000_000_000_000
    let fraction = String(microseconds.magnitude % 1000)
    return (microseconds < 0 ? "-" : "") + "\(microseconds.magnitude / 1000)."
      + String(repeating: "0", count: 3 - fraction.count) + fraction
  }
}
