import API
import Doctor
import RigConfiguration

/// The API's requests about the configuration file.
extension RigModel {
  func addConfiguration(to operations: inout OperationHandlers) {
    operations.on(Operations.declarations) {
      DeclarationsReport(
        settings: DeclarationsReport.Setting.all, codes: DeclarationsReport.Code.all)
    }
    operations.on(Operations.configurationFile) { try await configurationFile() }
    operations.on(Operations.changeConfiguration) { try await changeConfiguration($0) }
    operations.on(Operations.configurationHistory) { try await configurationHistory() }
    operations.on(Operations.configurationDifference) {
      try await configurationDifference(from: $0.number)
    }
    operations.on(Operations.checkConfiguration) { await checkConfiguration($0.text) }
    operations.on(Operations.rollBackConfiguration) { try await rollBackConfiguration($0) }
  }

  func configurationFile() async throws(APIError) -> ConfigurationReport {
    try await file().configurationFile()
  }

  func configurationHistory() async throws(APIError) -> ConfigurationHistory {
    try await file().configurationHistory()
  }

  func configurationDifference(
    from number: Int
  ) async throws(APIError) -> ConfigurationDifference {
    try await file().configurationDifference(from: number)
  }

  func checkConfiguration(_ text: String) async -> ConfigurationCheckReport {
    let store = configurationStore ?? ConfigurationStore(path: "platen.yaml")
    return await ConfigurationFile(store: store, running: nil).checkConfiguration(text)
  }

  func changeConfiguration(
    _ change: ConfigurationChange
  ) async throws(APIError) -> ConfigurationChangeReport {
    try await file().changeConfiguration(change)
  }

  func rollBackConfiguration(
    _ rollback: ConfigurationRollback
  ) async throws(APIError) -> ConfigurationChangeReport {
    try await file().rollBackConfiguration(rollback)
  }

  private func file() throws(APIError) -> ConfigurationFile {
    guard let configurationStore, let source = configuration?.source else {
      throw APIError(.unavailable, "The service runs without a configuration file.")
    }
    return ConfigurationFile(store: configurationStore, running: source)
  }
}
