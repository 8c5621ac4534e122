/// The settings whose key had another name in an earlier version.
extension Setting {
  /// Returns the setting, whose key an earlier version had under another name in the same section.
  ///
  /// The former name is read with a warning, and `platenctl config set` writes the present one.
  ///
  /// - Parameters:
  ///   - former: the former name.
  ///   - key: the present name, which is one of the setting's keys.
  package func moved(from former: String, to key: String) -> Setting {
    Setting(
      read: { section, root in
        section.readMoved(from: former, to: key)
        read(section, &root)
      },
      keys: { defaults in keys(defaults).map { $0.renamed(from: former, to: key) } })
  }
}
