import Settings
import Testing

@testable import RigConfiguration

/// The keys that an earlier version had under other names.
@Suite struct MovedKeyTests {
  /// A text of the earlier version.
  private static let text = """
    # The rig in room 7.
    rig: { id: rig-1 }
    pace: 3   # not faster
    lens: { steps: 5 }
    """

  /// A part whose keys have got new names.
  private struct RenamedPart: SettingsPart {
    var rigID = ""
    var speed = 1
    var steps = 0

    static let settings: [Setting<RenamedPart>] = [
      .group("rig", "the rig", [Setting(\.rigID, "id", .text(), "the name")]),
      Setting<RenamedPart>(\.speed, "speed", .integer(1...9), "the speed").reserved
        .moved(from: "pace", to: "speed"),
      Setting<RenamedPart>.group(
        "optics", "the optics", [Setting(\.steps, "steps", .integer(0...9), "the steps")]
      ).moved(from: "lens", to: "optics"),
    ]
  }

  private func read(_ text: String) throws -> (part: RenamedPart, issues: SettingsIssues) {
    let issues = SettingsIssues(file: "platen.yaml")
    let root = try #require(ConfigurationReader.root(of: text, issues))
    return (RenamedPart(root), issues)
  }

  @Test func `a text of an earlier version is read with warnings`() throws {
    let (part, issues) = try read(Self.text)
    #expect(part.rigID == "rig-1" && part.speed == 3 && part.steps == 5)
    #expect(issues.issues == [])
    #expect(
      issues.movedKeys.map(\.warning.description) == [
        "platen.yaml:3:1: \"pace\": is read, and is called \"speed\" now",
        "platen.yaml:4:1: \"lens\": is read, and is called \"optics\" now",
      ])
  }

  @Test func `a text with present names has no warning`() throws {
    let (part, issues) = try read("rig: { id: rig-1 }\nspeed: 3\noptics: { steps: 5 }")
    #expect(part.speed == 3 && part.steps == 5)
    #expect(issues.issues == [] && issues.movedKeys == [])
  }

  @Test func `a text with both names is refused`() throws {
    let issues = try read("rig: { id: rig-1 }\npace: 3\nspeed: 4").issues
    #expect(
      issues.issues.map(\.description) == [
        "platen.yaml:2:1: \"pace\": is called \"speed\" now, which this section has as well; "
          + "remove one of the two"
      ])
    #expect(issues.movedKeys == [])
  }

  static let explained: [(String, [String])] = [
    ("pace", ["speed"]), ("speed", ["speed"]), ("lens", ["optics", "optics.steps"]),
    ("lens.steps", ["optics.steps"]), ("pace.steps", []),
  ]

  @Test(arguments: explained)
  func `the former name explains the present key`(_ path: String, _ found: [String]) {
    #expect(RenamedPart.keys.filter { $0.isMeant(by: path) }.map(\.path) == found)
  }

  static let present: [(String, String)] = [
    ("pace", "speed"), ("lens.steps", "optics.steps"), ("speed", "speed"), ("other", "other"),
  ]

  @Test(arguments: present)
  func `the former path is set under the present name`(_ path: String, _ found: String) {
    #expect(RenamedPart.keys.presentPath(of: path) == found)
  }

  /// Otherwise a caller of the API could set the key under the name that is still read.
  @Test func `the former path of a reserved key is reserved`() {
    #expect(ReservedKeys.reserved(among: RenamedPart.keys) == ["speed", "pace"])
  }

  @Test func `a rename of the keys keeps all else`() throws {
    var editor = ConfigurationEditor(Self.text)
    for moved in try read(Self.text).issues.movedKeys {
      editor.renameKey(at: moved.formerPath, to: moved.name)
    }
    let wanted = Self.text.replacing("pace:", with: "speed:").replacing("lens:", with: "optics:")
    #expect(editor.text == wanted)
  }

  @Test func `a key in quotes is left to a person`() {
    var editor = ConfigurationEditor("\"pace\": 3")
    editor.renameKey(at: ["pace"], to: "speed")
    #expect(editor.text == "\"pace\": 3")
  }
}
