public import API

/// The configuration file on this machine while no service runs: for `platend --configure`.
public struct LocalConfiguration: Sendable {
  private let file: ConfigurationFile

  /// Takes a file by its path.
  public init(path: String) {
    file = ConfigurationFile(store: ConfigurationStore(path: path), running: nil)
  }

  /// Does one thing to the file.
  ///
  /// - Returns: the answer in JSON, as the API gives it.
  /// - Throws: ``API/APIError`` as the API's own paths.
  public func perform(_ request: LocalConfigurationRequest) async throws -> [UInt8] {
    if request.show == true { return try APICoding.encode(await file.configurationFile()) }
    if request.history == true { return try APICoding.encode(await file.configurationHistory()) }
    if let number = request.difference {
      return try APICoding.encode(await file.configurationDifference(from: number))
    }
    if let text = request.check {
      return try APICoding.encode(await file.checkConfiguration(text))
    }
    if let change = request.change {
      return try APICoding.encode(await file.changeConfiguration(change))
    }
    if let rollback = request.rollback {
      return try APICoding.encode(await file.rollBackConfiguration(rollback))
    }
    throw APIError(.invalidRequest, "Nothing was asked for.")
  }
}
