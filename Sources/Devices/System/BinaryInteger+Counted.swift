extension BinaryInteger {
  /// Returns the number with its noun, for example `1 picture` or `3 pictures`.
  ///
  /// - Parameters:
  ///   - one: the noun for the number 1, perhaps with the words that follow it.
  ///   - many: the same for any other number; by default `one` with an *s*.
  package func counted(_ one: String, _ many: String? = nil) -> String {
    self == 1 ? "1 \(one)" : "\(self) \(many ?? one + "s")"
  }
}
