package import Capture
import Devices
package import Settings

/// The section `cameras`: several cameras by their roles.
///
/// The first role of the file is used at the start. A button with `switch_camera` switches to the
/// next role. The settings of the section `camera`, such as size and frame rate, apply to all
/// cameras.
package struct CamerasSection: Sendable, Hashable {
  /// A camera and its role.
  package struct Entry: Sendable, Hashable, SettingsPart {
    /// The camera's role.
    package var role = CameraRole.main
    /// The choice of the camera, by ID or position.
    package var choice = CaptureSessionConfiguration.CameraChoice.first

    /// Makes an entry without a choice.
    package init() {}

    /// The settings of a camera, in the order of their explanation.
    package static let settings = Setting<Entry>.cameraChoice(\.choice)

    /// Refuses a camera without a choice, or with two.
    package mutating func agree(in section: SettingsSection) {
      CamerasSection.refuseTwoChoices(in: section)
      if !section.has("id"), !section.has("position") {
        section.note("expected \"id\" or \"position\"")
      }
    }
  }

  /// The cameras in the order of the file; at least one.
  package var entries: [Entry] = []

  /// The role that is used at the start.
  package var first: CameraRole { entries.first?.role ?? .main }

  /// Refuses a section that selects a camera by ID and by position.
  static func refuseTwoChoices(in section: SettingsSection) {
    if section.has("id"), section.has("position") {
      section.note("excludes \"id\"; keep one of the two", at: "position")
    }
  }
}

extension PlatenConfiguration {
  /// The setting of the section `cameras`.
  static let camerasSetting: Setting<PlatenConfiguration> = .named(
    "cameras", "ROLE", name: .name(1...32, of: .lowercase), noun: "camera", needsOne: true,
    default: "the camera of the section camera",
    "the cameras by their roles; the first one is used at the start",
    partMeaning: "the camera of a role, by id or position"
  ) {
    (
      name: String, part: CamerasSection.Entry, section: SettingsSection,
      root: inout PlatenConfiguration
    ) in
    // An entry without a choice has been refused.
    guard part.choice != .first else { return }
    var cameras = root.cameras ?? CamerasSection()
    if let other = cameras.entries.first(where: { $0.choice == part.choice }) {
      section.note("is the same camera as \"\(other.role)\"", at: name)
    }
    var entry = part
    entry.role = CameraRole(rawValue: name)
    cameras.entries.append(entry)
    root.cameras = cameras
  }

  /// Refuses keys of the sections `camera` and `cameras` that exclude or need each other.
  static func agreeOnCameras(
    _ configuration: inout PlatenConfiguration, _ root: SettingsSection
  ) {
    guard root.isSection("camera"), let camera = root.section("camera") else { return }
    if root.isSection("cameras") {
      for key in ["id", "position"] where camera.has(key) {
        camera.note("excludes the section \"cameras\"; name the camera there", at: key)
      }
    }
    guard let standby = configuration.camera.session.standby else { return }
    let roles = configuration.cameras?.entries.map(\.role) ?? []
    if !roles.contains(standby) {
      let names = roles.map(\.rawValue).joined(separator: ", ")
      camera.note(
        "\"\(standby)\" is not among the roles of \"cameras\""
          + (names.isEmpty ? "" : ", which are \(names)"), at: "standby")
    } else if standby == configuration.cameras?.first {
      camera.note("is used at the start already; expected another role", at: "standby")
    }
  }
}

extension Setting {
  /// Returns the settings that select a camera, by ID or by position.
  ///
  /// ``CamerasSection/refuseTwoChoices(in:)`` refuses both at once.
  ///
  /// - Parameters:
  ///   - exclusions: what both keys exclude besides each other, in words after a space.
  ///   - standard: the default of the ID in words.
  static func cameraChoice(
    _ property: any WritableKeyPath<Root, CaptureSessionConfiguration.CameraChoice> & Sendable,
    besides exclusions: String = "", default standard: String = "none"
  ) -> [Setting] {
    [
      Setting(
        property, "id", .id, only: "excludes position\(exclusions)", default: standard,
        "the ID of the camera as libcamera lists it"),
      Setting(
        property, "position", .position, only: "excludes id\(exclusions)",
        "the direction in which the camera looks"),
    ]
  }
}

extension SettingForm<CaptureSessionConfiguration.CameraChoice> {
  /// The form of a choice by ID.
  fileprivate static var id: SettingForm<CaptureSessionConfiguration.CameraChoice> {
    SettingForm<String>.text().map({ .id($0) }, text: { $0.description })
  }

  /// The form of a choice by position; the position that no camera reports is left out.
  fileprivate static var position: SettingForm<CaptureSessionConfiguration.CameraChoice> {
    .words([
      "front": .position(.front), "back": .position(.back), "external": .position(.external),
    ])
  }
}
