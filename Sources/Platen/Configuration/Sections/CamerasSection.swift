package import Capture

/// The section `cameras`: several cameras by their roles.
///
/// Each key is a role, 1 to 32 of `a-z 0-9 - _`, with one of these keys. The first role of the file
/// is used at the start. A button with `switch_camera` switches to the next role. The settings of
/// the section `camera`, such as size and frame rate, apply to all cameras.
///
/// | key | value | default |
/// |---|---|---|
/// | `id` | the camera's ID as libcamera lists it | one of the two is required |
/// | `position` | `front`, `back` or `external` | |
package struct CamerasSection: Sendable, Hashable {
  /// A camera and its role.
  package struct Entry: Sendable, Hashable {
    /// The camera's role.
    package var role: CameraRole
    /// The choice of the camera.
    package var choice: CaptureSessionConfiguration.CameraChoice
  }

  /// The cameras in the order of the file; at least one.
  package var entries: [Entry]

  /// The role that is used at the start.
  package var first: CameraRole { entries.first?.role ?? .main }

  init?(_ section: ConfigurationMapping) {
    var entries: [Entry] = []
    for name in section.keys {
      guard let camera = section.section(name) else { continue }
      if !Self.isRole(name) {
        section.note("is no role; expected 1 to 32 of the characters a-z 0-9 - _", at: name)
      }
      let choice = CameraSection.choice(camera)
      camera.refuseUnknownKeys()
      guard let choice else {
        if !camera.has("id"), !camera.has("position") {
          camera.note("expected \"id\" or \"position\"")
        }
        continue
      }
      if let other = entries.first(where: { $0.choice == choice }) {
        section.note("is the same camera as \"\(other.role)\"", at: name)
      }
      entries.append(Entry(role: CameraRole(rawValue: name), choice: choice))
    }
    if section.keys.isEmpty { section.note("expected at least one camera") }
    guard !entries.isEmpty else { return nil }
    self.entries = entries
  }

  private static func isRole(_ name: String) -> Bool {
    (1...32).contains(name.utf8.count)
      && name.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
          UInt8(ascii: "-"), UInt8(ascii: "_"):
          true
        default: false
        }
      }
  }
}
