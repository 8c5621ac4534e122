import Foundation
import TestSupport
import Testing

/// The page of files and directories, held by the units, the rules and the paths in the code.
@Suite struct FilesPageTests {
  private let page: String
  /// The absolute paths that the page has in code spans, without the star at their end.
  private let paths: Set<String>

  init() throws {
    page = try Self.text("docs/reference/files-and-directories.md")
    let spans = page.matches(of: /`([^`\n]+)`/).flatMap {
      String($0.1).split { " ,".contains($0) }
    }
    paths = Set(
      spans.filter { $0.hasPrefix("/") && $0.dropFirst().contains("/") }.map {
        String($0.prefix { $0 != "*" }).trimmingSuffix("/")
      })
  }

  private static func text(_ path: String) throws -> String {
    try String(contentsOf: ReferencePage.repository.appending(path: path), encoding: .utf8)
  }

  private static func files(_ folder: String) throws -> [String] {
    let root = ReferencePage.repository.appending(path: folder).path
    return try FileManager.default.subpathsOfDirectory(atPath: root).sorted()
      .map { folder + "/" + $0 }
  }

  /// Whether the page has a path, a folder of it, or a path below it.
  private func covers(_ path: String) -> Bool {
    paths.contains { $0 == path || path.hasPrefix($0) || $0.hasPrefix(path) }
  }

  @Test(arguments: ["systemd", "udev", "polkit"])
  func `each installed file stands beside its place`(_ folder: String) throws {
    let rows = page.split(separator: "\n").filter { $0.hasPrefix("|") }
    for file in try Self.files(folder) {
      let text = try Self.text(file)
      let place = try #require(text.firstMatch(of: /(?m)^[\/#]+ Installed as (\S+)$/), "\(file)")
      #expect(
        rows.contains { $0.contains("`\(file)`") && $0.contains("`\(place.1)`") },
        "\(file) is installed as \(place.1)")
    }
    for named in page.matches(of: /`((?:systemd|udev|polkit)\/[^`]+)`/) {
      #expect(try Self.files(folder).contains(String(named.1)) || !named.1.hasPrefix(folder + "/"))
    }
  }

  @Test func `the page has the directories that units and the system make`() throws {
    for file in try Self.files("systemd") {
      let text = try Self.text(file)
      for found in text.matches(of: /(?m)^(State|Runtime|Configuration)Directory=(\S+)$/) {
        let parent = ["State": "/var/lib/", "Runtime": "/run/", "Configuration": "/etc/"]
        let path = try #require(parent[String(found.1)]) + found.2
        #expect(covers(path), "\(file): \(path)")
      }
      for found in text.matches(of: #/(?m)^d\s(/\S+)\s/#) {
        #expect(covers(String(found.1)), "\(file): \(found.1)")
      }
    }
  }

  @Test func `the page has each system path that the code names`() throws {
    var count = 0
    for file in try Self.files("Sources") where file.hasSuffix(".swift") {
      let code = try Self.text(file).split(separator: "\n").filter {
        !$0.drop { $0 == " " }.hasPrefix("//")
      }.joined(separator: "\n")
      for found in code.matches(
        of: /"(\/(?:etc|var|run|dev|sys|proc|boot|usr\/lib|usr\/share|usr\/local)\/[\w.@\/-]*)/)
      {
        count += 1
        let path = String(found.1).trimmingSuffix("/").trimmingSuffix(".")
        #expect(covers(path), "\(file): \(path)")
      }
    }
    #expect(count > 60)
  }

  @Test func `the page has each file that the service keeps in the spool's directory`() throws {
    let declared = try Self.files("Sources/Spool") + Self.files("Sources/Service")
    var names: Set<String> = []
    for file in declared where file.hasSuffix(".swift") {
      let text = try Self.text(file)
      names.formUnion(
        text.matches(of: /static let (?:fileName|name) = "([\w-]+\.\w+)"/).map { String($0.1) })
      names.formUnion(text.matches(of: /root \+ "\/(\w[\w.]*)"/).map { String($0.1) })
    }
    #expect(names.isSuperset(of: ["queue.db", "numbers.json", "audit.jsonl", "ballast"]))
    for name in names { #expect(page.contains("`\(name)"), "\(name)") }
  }
}

extension String {
  /// Returns the text without a suffix; the whole text if it ends otherwise.
  fileprivate func trimmingSuffix(_ suffix: String) -> String {
    hasSuffix(suffix) ? String(dropLast(suffix.count)) : self
  }
}
