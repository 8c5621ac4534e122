/// The origin of a press.
package enum PressSource: String, Sendable, Hashable, Codable, CaseIterable {
  /// The shutter button's line.
  case button
  /// A command over the API.
  case api
  /// The rig itself, because a page was turned.
  case handsFree
  /// A press of which no record tells the origin.
  case unknown
}
