/// A reason not to begin deliveries; an open set, spelled as it appears in logs and in the API.
///
/// A hold lets the deliveries that run come to their end, for what is cut off has to be sent again.
/// ``thermalCritical`` alone ends them, because a long transfer on a slow line would go on to heat
/// the rig for minutes: they go back to the queue, and no attempt is counted.
public struct UploadHold: RawRepresentable, Sendable, Hashable, Codable {
  /// The hold's spelling, in lower camel case.
  public let rawValue: String

  /// Makes a hold from its spelling.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The rig is too hot: what runs is ended, too.
  public static let thermalCritical = UploadHold(rawValue: "thermalCritical")
  /// The rig is hot, and uploads have been configured to wait until it is not.
  public static let thermalSerious = UploadHold(rawValue: "thermalSerious")
  /// The upload window is closed; the uploader finds this out itself.
  public static let window = UploadHold(rawValue: "window")
  /// A technician wants it so.
  public static let technician = UploadHold(rawValue: "technician")

  /// Whether it ends the deliveries that run.
  var endsDeliveries: Bool { self == .thermalCritical }
}
