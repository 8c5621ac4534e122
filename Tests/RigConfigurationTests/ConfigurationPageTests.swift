import API
import Settings
import TestSupport
import Testing

@testable import RigConfiguration

/// The reference page of the configuration.
@Suite struct ConfigurationPageTests {
  @Test func `the page of the configuration is current`() throws {
    let sections = PlatenConfiguration.keys.reduce(
      into: [(name: String, keys: [ConfigurationKey])]()
    ) {
      let name = String($1.path.prefix { $0 != "." })
      if $0.last?.name != name { $0.append((name, [])) }
      $0[$0.count - 1].keys.append($1)
    }
    let tables = sections.map { section in
      "## \(section.name)\n\n"
        + ReferencePage.table(
          ["key", "type", "range", "default", "meaning"],
          section.keys.map { key in
            let path = "`\(key.path)`" + (key.isReserved ? " *" : "")
            return [path, key.type, key.range ?? "", key.standard, key.meaning]
          })
    }
    let text = """
      # Configuration keys

      The service reads one YAML file, usually `/etc/platen/platen.yaml`. Words in capitals stand for a name that you choose. \
      A key with a star is only set in the file itself, not over the API. \
      A duration has its unit (`us`, `ms`, `s`, `min`, `h`), and so has a size in bytes (`B`, `kB`, `KiB`, `MB`, `MiB`, `GB`, `GiB`). \
      `platenctl config explain KEY` prints a line of this page; `platend --check-config FILE` checks a file.

      \(tables.joined(separator: "\n\n"))
      """
    let difference = try ReferencePage.difference(of: "configuration.md", text)
    #expect(difference == nil, "\(difference ?? "")")
  }

  @Test func `the API describes each key`() {
    let described = DeclarationsReport.Setting.all
    #expect(described.map(\.path) == PlatenConfiguration.keys.map(\.path))
    #expect(described.map(\.isReserved) == PlatenConfiguration.keys.map(\.isReserved))
  }
}
