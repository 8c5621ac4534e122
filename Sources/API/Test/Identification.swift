extension Operations {
  /// The identification of the rig by its lights.
  package static let identify = Endpoint<IdentificationRequest, IdentificationReport>(
    "identify", .post, "/v1/lights/identify", .act,
    "Makes all lights blink for a time, so that a person finds the rig among others.",
    failures: [.conflict, .unsupported], isCancellable: true, stallTimeout: .seconds(120))
}

/// The body of `POST /v1/lights/identify`, which may be empty.
package struct IdentificationRequest: JSONInput, Sendable, Hashable, Codable {
  /// The allowed duration in seconds.
  package static let secondsRange = 1...60
  /// The duration without another wish, in seconds.
  package static let standardSeconds = 15

  package static var mayBeAbsent: Bool { true }

  /// The time that the lights blink, 1...60 s; 15 by default.
  package let seconds: Int?

  package init(seconds: Int? = nil) {
    self.seconds = seconds
  }

  /// Reads a request.
  ///
  /// - Throws: ``Devices/InvalidValue`` for an unknown key or a number out of its range, or
  ///   `DecodingError`.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(of: [CodingKeys.seconds])
    seconds = try container.decodeIfPresent(.seconds, in: Self.secondsRange)
  }
}

/// The answer to an identification.
package struct IdentificationReport: Sendable, Hashable, Codable {
  /// The roles of the lights that blinked.
  package let lights: [String]
  /// The time that they blinked, in seconds.
  package let seconds: Double

  package init(lights: [String], seconds: Double) {
    self.lights = lights
    self.seconds = finite(seconds) ?? 0
  }
}
