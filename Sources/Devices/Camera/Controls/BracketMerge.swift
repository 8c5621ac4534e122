/// The pictures that a press with a bracket gives.
package enum BracketMerge: String, Sendable, Hashable, Codable, CaseIterable {
  /// The pictures of the bracket.
  case off
  /// The merged picture, and the pictures of the bracket after it.
  case add
  /// The merged picture instead of the pictures of the bracket.
  case only
}
