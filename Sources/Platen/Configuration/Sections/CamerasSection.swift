public import Capture

/// The section `cameras`: several cameras, by what they are for.
///
/// Each key is a role, 1 to 32 of `a-z 0-9 - _`, with one of these keys. The first role of the file
/// is used at the start; a button with `switch_camera` goes on to the next one. What the section
/// `camera` says of size, frame rate and so on holds for all of them.
///
/// | key | value | default |
/// |---|---|---|
/// | `id` | the camera's ID as libcamera lists it | one of the two is required |
/// | `position` | `front`, `back` or `external` | |
public struct CamerasSection: Sendable, Hashable {
  /// A camera and what it is for.
  public struct Entry: Sendable, Hashable {
    /// What it is for.
    public var role: CameraRole
    /// Which it is.
    public var choice: CaptureSessionConfiguration.CameraChoice
  }

  /// The cameras in the order of the file; at least one.
  public var entries: [Entry]

  /// The role that is used at the start.
  public var first: CameraRole { entries.first?.role ?? .main }

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
