/// The numbers of frames of a picture that was made of several, as Exif writes them.
package struct EXIFCompositeImage: Sendable, Hashable, Codable {
  /// The number of frames that were taken, 2 or more.
  let sourceCount: Int
  /// The number of those that are used in the picture, 2 or more.
  let usedCount: Int

  /// Makes the numbers; `nil` for a picture that was made of one frame.
  package init?(sourceCount: Int, usedCount: Int) {
    guard usedCount > 1, sourceCount >= usedCount else { return nil }
    self.sourceCount = sourceCount
    self.usedCount = usedCount
  }
}
