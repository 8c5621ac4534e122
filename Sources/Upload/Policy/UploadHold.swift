/// A reason not to begin deliveries; an open set, spelled as it appears in logs and in the API.
///
/// A hold never ends a delivery that runs, whatever its reason: a transfer waits for the network
/// nearly all of its time, and what is cut off has to be sent again.
public struct UploadHold: RawRepresentable, Sendable, Hashable, Codable {
  /// The hold's spelling, in lower camel case.
  public let rawValue: String

  /// Makes a hold from its spelling.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The rig is too hot; captures come first.
  public static let thermalCritical = UploadHold(rawValue: "thermalCritical")
  /// The rig is hot, and uploads have been configured to wait until it is not.
  public static let thermalSerious = UploadHold(rawValue: "thermalSerious")
  /// The upload window is closed; the uploader finds this out itself.
  public static let window = UploadHold(rawValue: "window")
  /// A technician wants it so.
  public static let technician = UploadHold(rawValue: "technician")
}
