/// A permission that a route requires of its caller.
package enum Permission: String, Sendable, Hashable, Codable, CaseIterable {
  /// The permission to look, which changes nothing on the rig.
  case read
  /// The permission to change something on the rig, for example by a press of the shutter.
  ///
  /// Requests that need it are entered into the audit log.
  case act
}
