/// A reason not to begin deliveries; an open set, spelled as it appears in logs and in the API.
///
/// A hold lets running deliveries finish, as an interrupted transfer has to be sent again. Only
/// ``thermalCritical`` ends running deliveries, because a long transfer on a slow line would heat
/// the rig for further minutes. Their items return to the queue, and no attempt is counted.
package struct UploadHold: RawRepresentable, Sendable, Hashable, Codable {
  /// The hold's spelling, in lower camel case.
  package let rawValue: String

  package init(rawValue: String) { self.rawValue = rawValue }

  /// The rig is too hot; running deliveries are ended, too.
  package static let thermalCritical = UploadHold(rawValue: "thermalCritical")
  /// The rig is hot, and uploads are configured to wait until it is not.
  package static let thermalSerious = UploadHold(rawValue: "thermalSerious")
  /// The upload window is closed; the uploader sets this hold itself.
  package static let window = UploadHold(rawValue: "window")
  /// A technician has set the hold.
  package static let technician = UploadHold(rawValue: "technician")

  /// Whether the hold ends running deliveries.
  var endsDeliveries: Bool { self == .thermalCritical }
}
