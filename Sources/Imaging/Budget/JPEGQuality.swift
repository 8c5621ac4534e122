/// How good a JPEG image is to be, or how large.
public enum JPEGQuality: Sendable, Hashable {
  /// A quality, 1...100 on libjpeg's scale; values outside are taken as the nearest.
  case quality(Int)
  /// The quality that makes the whole file as large as this, in bytes.
  ///
  /// `startingAt` is the quality that the first picture is tried with; later ones begin with what
  /// the last one suggests. `aimingAt` is the part of the budget to aim at, `nil` for all of it: a
  /// file elsewhere in the budget is kept, because another encode would take longer than it saves.
  case byteBudget(ClosedRange<Int>, startingAt: Int, aimingAt: ClosedRange<Int>? = nil)

  /// The qualities that a byte budget may choose; below them text becomes hard to read, above
  /// them files grow and nobody sees why.
  public static let budgetQualities = 20...97
}
