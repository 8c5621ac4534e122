import Hummingbird

extension HTTPFields {
  /// Sets a header for which the framework declares no name; an impossible name sets nothing.
  mutating func set(_ name: String, _ value: String) {
    if let name = Key(name) { self[name] = value }
  }
}
