/// The body of `POST /v1/tests/button`, which may be empty.
package struct ButtonTestRequest: Sendable, Hashable, Codable {
  /// The allowed duration of a test in seconds.
  package static let secondsRange = 1...120
  /// The allowed number of presses.
  package static let pressesRange = 1...20

  /// The button's name; by default the first button of the configuration.
  package let button: String?
  /// The time to wait for the presses, 1...120 s; 20 by default.
  package let seconds: Int?
  /// The number of presses that end the test, 1...20; one by default.
  package let presses: Int?

  package init(button: String? = nil, seconds: Int? = nil, presses: Int? = nil) {
    self.button = button
    self.seconds = seconds
    self.presses = presses
  }

  /// Reads a request, which may be `{}`.
  ///
  /// - Throws: ``Devices/InvalidValue`` for an unknown key or a number out of its range, or
  ///   `DecodingError`.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(of: [CodingKeys.button, .seconds, .presses])
    button = try container.decodeIfPresent(String.self, forKey: .button)
    seconds = try container.decodeIfPresent(.seconds, in: Self.secondsRange)
    presses = try container.decodeIfPresent(.presses, in: Self.pressesRange)
  }
}

/// The body of `POST /v1/tests/light`.
package struct LightTestRequest: Sendable, Hashable, Codable {
  /// The allowed duration of a test in seconds.
  package static let secondsRange = 1...60

  /// The light's role: `ready`, `fault`, `upload`, `power` or `single`.
  package let light: String
  /// The time that the light is lit, 1...60 s; 15 by default.
  package let seconds: Int?

  package init(light: String, seconds: Int? = nil) {
    self.light = light
    self.seconds = seconds
  }

  /// Reads a request.
  ///
  /// - Throws: ``Devices/InvalidValue`` for an unknown key or a number out of its range, or
  ///   `DecodingError`.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(of: [CodingKeys.light, .seconds])
    light = try container.decode(String.self, forKey: .light)
    seconds = try container.decodeIfPresent(.seconds, in: Self.secondsRange)
  }
}

/// The body of `POST /v1/tests/accelerometer`, which may be empty.
package struct AccelerometerTestRequest: Sendable, Hashable, Codable {
  /// The allowed duration of a test in seconds.
  package static let secondsRange = 1...30

  /// The duration of the test, 1...30 s; three by default.
  package let seconds: Int?

  package init(seconds: Int? = nil) { self.seconds = seconds }

  /// Reads a request, which may be `{}`.
  ///
  /// - Throws: ``Devices/InvalidValue`` for an unknown key or a number out of its range, or
  ///   `DecodingError`.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(of: [CodingKeys.seconds])
    seconds = try container.decodeIfPresent(.seconds, in: Self.secondsRange)
  }
}

/// The body of `POST /v1/tests/storage`, which may be empty.
package struct StorageTestRequest: Sendable, Hashable, Codable {
  /// The allowed length of the file in MiB.
  package static let mebibytesRange = 1...64

  /// The length of the file, 1...64 MiB; eight by default.
  package let mebibytes: Int?

  package init(mebibytes: Int? = nil) { self.mebibytes = mebibytes }

  /// Reads a request, which may be `{}`.
  ///
  /// - Throws: ``Devices/InvalidValue`` for an unknown key or a number out of its range, or
  ///   `DecodingError`.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(of: [CodingKeys.mebibytes])
    mebibytes = try container.decodeIfPresent(.mebibytes, in: Self.mebibytesRange)
  }
}

/// The body of `POST /v1/targets/retry`, which may be empty.
package struct TargetRetryRequest: Sendable, Hashable, Codable {
  /// The target's name; by default all targets.
  package let target: String?

  package init(target: String? = nil) { self.target = target }

  /// Reads a request, which may be `{}`.
  ///
  /// - Throws: ``Devices/InvalidValue`` for an unknown key, or `DecodingError`.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(of: [CodingKeys.target])
    target = try container.decodeIfPresent(String.self, forKey: .target)
  }
}
