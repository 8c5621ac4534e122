extension Operations {
  /// The declarations of keys and codes.
  package static let declarations = Endpoint<NoInput, DeclarationsReport>(
    "declarations", .get, "/v1/declarations", .read,
    "Describes the keys of the configuration file, and the codes that the rig gives as reasons.")

  /// The configuration file.
  package static let configurationFile = Endpoint<NoInput, ConfigurationReport>(
    "configurationFile", .get, "/v1/configuration", .read,
    "Returns the configuration file as stored on the disk, with possible secrets masked.",
    failures: [.unavailable])

  /// A change of keys.
  package static let changeConfiguration = Endpoint<
    ConfigurationChange, ConfigurationChangeReport
  >(
    "changeConfiguration", .patch, "/v1/configuration", .act,
    "Sets keys in the configuration file, either all or none; the next start of the service reads "
      + "them.",
    failures: [.configurationChanged])

  /// The earlier versions of the file.
  package static let configurationHistory = Endpoint<NoInput, ConfigurationHistory>(
    "configurationHistory", .get, "/v1/configuration/history", .read,
    "Lists the earlier versions of the configuration file.", failures: [.unavailable])

  /// The changes that a rollback would make.
  package static let configurationDifference = Endpoint<
    ConfigurationVersion, ConfigurationDifference
  >(
    "configurationDifference", .get, "/v1/configuration/history/{number}", .read,
    "Returns the changes that a rollback to an earlier version would make.",
    failures: [.notFound, .unavailable])

  /// A check of a configuration text.
  package static let checkConfiguration = Endpoint<
    ConfigurationCheckRequest, ConfigurationCheckReport
  >(
    "checkConfiguration", .post, "/v1/configuration/check", .read,
    "Lists up to 100 faults of a configuration text; nothing is written.")

  /// A return to an earlier version.
  package static let rollBackConfiguration = Endpoint<
    ConfigurationRollback, ConfigurationChangeReport
  >(
    "rollBackConfiguration", .post, "/v1/configuration/rollback", .act,
    "Restores an earlier version of the configuration file.",
    failures: [.notFound, .configurationChanged])
}

/// The number of an earlier version, as the whole input.
package struct ConfigurationVersion: EndpointInput {
  private static let number = EndpointParameter<Int>.integer(
    "number", in: 0...Int.max, "The version's number, 0 for the last good one.")

  /// The number, 0 or more.
  package var number: Int

  package init(_ number: Int) { self.number = number }

  package static var parameters: [ParameterDescription] { [number.described(isRequired: true)] }

  package init(_ request: EndpointRequest) throws(APIError) {
    number = try request.required(Self.number)
  }

  package func write(to request: inout EndpointRequest) { request.set(Self.number, number) }
}

/// A configuration in YAML, a JSON string as the body.
package struct ConfigurationCheckRequest: JSONInput {
  /// The YAML.
  package let text: String

  package init(_ text: String) { self.text = text }

  package static var body: BodyDescription? { BodyDescription(type: String.self, isRequired: true) }

  /// Reads the string.
  ///
  /// - Throws: `DecodingError`.
  package init(from decoder: any Decoder) throws {
    text = try decoder.singleValueContainer().decode(String.self)
  }

  /// Writes the string.
  ///
  /// - Throws: `EncodingError`.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}

extension ConfigurationChange: JSONInput {}

extension ConfigurationRollback: JSONInput {
  package static var mayBeAbsent: Bool { true }
}
