/// The body of `POST /v1/tests/button`, which may be left out.
public struct ButtonTestRequest: Sendable, Hashable, Codable {
  /// How long a test may be told to last, in seconds.
  public static let secondsRange = 1...120
  /// How many presses may be wanted.
  public static let pressesRange = 1...20

  /// The button's name; the first one of the configuration when it is left out.
  public let button: String?
  /// How long to wait for the presses, 1...120 s; 20 when it is left out.
  public let seconds: Int?
  /// How many presses end the test, 1...20; one when it is left out.
  public let presses: Int?

  /// Makes a request.
  public init(button: String? = nil, seconds: Int? = nil, presses: Int? = nil) {
    self.button = button
    self.seconds = seconds
    self.presses = presses
  }

  /// Reads a request, which may be `{}`.
  ///
  /// - Throws: ``APIError`` for an unknown key and for a number out of its range, or `DecodingError`.
  public init(from decoder: any Decoder) throws {
    try decoder.refuseKeys(notIn: ["button", "seconds", "presses"])
    let container = try decoder.container(keyedBy: CodingKeys.self)
    try container.refuseNulls()
    button = try container.decodeIfPresent(String.self, forKey: .button)
    seconds = try container.decodeIfPresent(.seconds, in: Self.secondsRange)
    presses = try container.decodeIfPresent(.presses, in: Self.pressesRange)
  }
}

/// The body of `POST /v1/tests/light`.
public struct LightTestRequest: Sendable, Hashable, Codable {
  /// How long a test may be told to last, in seconds.
  public static let secondsRange = 1...60

  /// The light's role: `ready`, `fault`, `upload`, `power` or `single`.
  public let light: String
  /// How long it is lit, 1...60 s; 15 when it is left out.
  public let seconds: Int?

  /// Makes a request.
  public init(light: String, seconds: Int? = nil) {
    self.light = light
    self.seconds = seconds
  }

  /// Reads a request.
  ///
  /// - Throws: ``APIError`` for an unknown key and for a number out of its range, or `DecodingError`.
  public init(from decoder: any Decoder) throws {
    try decoder.refuseKeys(notIn: ["light", "seconds"])
    let container = try decoder.container(keyedBy: CodingKeys.self)
    try container.refuseNulls()
    light = try container.decode(String.self, forKey: .light)
    seconds = try container.decodeIfPresent(.seconds, in: Self.secondsRange)
  }
}

/// The body of `POST /v1/tests/accelerometer`, which may be left out.
public struct AccelerometerTestRequest: Sendable, Hashable, Codable {
  /// How long a test may be told to last, in seconds.
  public static let secondsRange = 1...30

  /// How long to look, 1...30 s; three when it is left out.
  public let seconds: Int?

  /// Makes a request.
  public init(seconds: Int? = nil) { self.seconds = seconds }

  /// Reads a request, which may be `{}`.
  ///
  /// - Throws: ``APIError`` for an unknown key and for a number out of its range, or `DecodingError`.
  public init(from decoder: any Decoder) throws {
    try decoder.refuseKeys(notIn: ["seconds"])
    let container = try decoder.container(keyedBy: CodingKeys.self)
    try container.refuseNulls()
    seconds = try container.decodeIfPresent(.seconds, in: Self.secondsRange)
  }
}

/// The body of `POST /v1/tests/storage`, which may be left out.
public struct StorageTestRequest: Sendable, Hashable, Codable {
  /// How long the file may be, in MiB.
  public static let mebibytesRange = 1...64

  /// How long the file is, 1...64 MiB; eight when it is left out.
  public let mebibytes: Int?

  /// Makes a request.
  public init(mebibytes: Int? = nil) { self.mebibytes = mebibytes }

  /// Reads a request, which may be `{}`.
  ///
  /// - Throws: ``APIError`` for an unknown key and for a number out of its range, or `DecodingError`.
  public init(from decoder: any Decoder) throws {
    try decoder.refuseKeys(notIn: ["mebibytes"])
    let container = try decoder.container(keyedBy: CodingKeys.self)
    try container.refuseNulls()
    mebibytes = try container.decodeIfPresent(.mebibytes, in: Self.mebibytesRange)
  }
}

/// The body of `POST /v1/targets/retry`, which may be left out.
public struct TargetRetryRequest: Sendable, Hashable, Codable {
  /// The target's name; all targets when it is left out.
  public let target: String?

  /// Makes a request.
  public init(target: String? = nil) { self.target = target }

  /// Reads a request, which may be `{}`.
  ///
  /// - Throws: ``APIError`` for an unknown key, or `DecodingError`.
  public init(from decoder: any Decoder) throws {
    try decoder.refuseKeys(notIn: ["target"])
    let container = try decoder.container(keyedBy: CodingKeys.self)
    try container.refuseNulls()
    target = try container.decodeIfPresent(String.self, forKey: .target)
  }
}

extension KeyedDecodingContainer {
  /// Reads a whole number that has bounds.
  ///
  /// - Returns: `nil` when the key is not there.
  /// - Throws: ``APIError``, code ``APIError/Code/invalidRequest``, for one out of its range, or
  ///   `DecodingError` for what is no whole number.
  fileprivate func decodeIfPresent(_ key: Key, in range: ClosedRange<Int>) throws -> Int? {
    guard let number = try decodeIfPresent(Int.self, forKey: key) else { return nil }
    guard range.contains(number) else {
      throw APIError(
        .invalidRequest,
        "The value of \"\(key.stringValue)\" must be from \(range.lowerBound) to "
          + "\(range.upperBound), not \(number).")
    }
    return number
  }
}
