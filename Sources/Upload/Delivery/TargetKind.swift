package import Settings

/// A kind of upload target, filled with the settings of one target.
package protocol TargetKind: SettingsPart {
  /// The place that items are delivered to.
  var place: TargetPlace { get }

  /// Makes the target; nothing is connected yet.
  ///
  /// - Parameters:
  ///   - name: the target's name in the configuration.
  ///   - bandwidth: the target's bandwidth; `nil` for no limit.
  ///   - userAgent: the value of HTTP's `User-Agent` field.
  /// - Throws: ``DeliveryFailure`` with `blocked` for settings that cannot be used.
  func makeTarget(
    name: String, bandwidth: BandwidthShare?, userAgent: String
  ) throws(DeliveryFailure) -> any UploadTarget
}

/// The place that a target's items are delivered to.
package enum TargetPlace: Sendable {
  /// A server with its URL, which has no credentials.
  case server(url: String, http: HTTPSettings)
  /// A directory with its absolute path.
  case directory(String)

  /// The URL of a server; `nil` for a directory.
  package var url: String? {
    if case .server(let url, _) = self { url } else { nil }
  }

  /// The connection settings of a server; `nil` for a directory.
  package var http: HTTPSettings? {
    if case .server(_, let http) = self { http } else { nil }
  }
}
