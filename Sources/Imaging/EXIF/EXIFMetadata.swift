/// The metadata of a capture that are written into the picture's file.
///
/// | tag | from |
/// |---|---|
/// | IFD0 Make, Model, Software | ``make``, ``model``, ``software`` |
/// | IFD0 Orientation | ``orientation`` |
/// | IFD0 XResolution, YResolution, ResolutionUnit | ``dotsPerInch`` |
/// | DateTime, DateTimeOriginal, DateTimeDigitized with SubSecTime and OffsetTime | ``captured`` |
/// | ExposureTime | ``exposureDuration`` |
/// | PhotographicSensitivity, SensitivityType, RecommendedExposureIndex | ``isoSpeed`` |
/// | ExposureBiasValue | ``exposureBias`` |
/// | SubjectDistance | ``lensPosition`` |
/// | Flash | ``flash`` |
/// | CompositeImage, SourceImageNumberOfCompositeImage | ``compositeImage`` |
/// | ImageUniqueID | ``imageUniqueID`` |
/// | BodySerialNumber | ``rigID`` |
/// | UserComment | ``comment``: press, rig, place in a bracket, selection error, clock |
///
/// Exif has no tag for the number of a press: ImageNumber (0x9211) belongs to TIFF/EP.
package struct EXIFMetadata: Sendable, Hashable, Codable {
  /// The orientation of the stored picture.
  package var orientation: ImageOrientation
  /// The maker of the rig.
  package var make: String
  /// The model of the rig.
  package var model: String
  /// The name and version of the program.
  package var software: String
  /// The exposure's midpoint by the wall clock; the best estimate when the clock is not trusted.
  package var captured: WallClockTime
  /// Whether the wall clock was known to be right.
  package var clockIsSynchronized: Bool
  /// The exposure time of each row; `nil` when the camera does not report it.
  package var exposureDuration: Duration?
  /// The ISO speed of the gains; `nil` when the camera does not report it.
  package var isoSpeed: Int?
  /// The lens position in diopters, 0 being infinity; `nil` when the camera does not report it.
  package var lensPosition: Double?
  /// The pixels per inch of the page, above 0; `nil` when unknown, which is 72 without a unit.
  package var dotsPerInch: Double?
  /// The picture's own number, as 32 hexadecimal digits.
  package var imageUniqueID: String
  /// The rig's name in the fleet.
  package var rigID: String
  /// The number of the picture's press.
  package var pressNumber: UInt64
  /// The exposure's midpoint minus the instant of the press; `nil` when there was no instant.
  package var selectionError: Duration?
  /// The flash; `nil` for a rig without a lamp.
  package var flash: EXIFFlash?
  /// The frames of which the picture was made; `nil` for one.
  package var compositeImage: EXIFCompositeImage?
  /// The exposure's difference from the metered one in EV; `nil` outside a bracket of exposures.
  package var exposureBias: Double?
  /// The place in a bracket, for example `2 of 3` or `1 of 2; lamp: left`; `nil` outside a bracket.
  package var bracketPlace: String?
  /// The number that all pictures of the bracket share; `nil` outside a bracket.
  package var bracketID: String?

  package init(
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

  /// The text of the UserComment.
  ///
  /// An example is `press: 42; rig: east-3; selection error: -3.214 ms; clock: synchronized`.
  package var comment: String {
    var parts = ["press: \(pressNumber)", "rig: \(rigID)"]
    if let bracketPlace, let bracketID {
      parts.append("bracket: \(bracketPlace); group: \(bracketID)")
    }
    if let selectionError {
      parts.append("selection error: \(Self.milliseconds(selectionError)) ms")
    }
    parts.append("clock: " + (clockIsSynchronized ? "synchronized" : "unsynchronized"))
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
