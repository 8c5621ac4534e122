package import API
import Settings

extension DeclarationsReport.Setting {
  /// All keys of the configuration file, as the API describes them.
  package static let all: [DeclarationsReport.Setting] = PlatenConfiguration.keys.map { key in
    DeclarationsReport.Setting(
      path: key.path, type: key.type, range: key.range, standard: key.standard,
      meaning: key.meaning, isReserved: key.isReserved)
  }
}
