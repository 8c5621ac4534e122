/// The wanted quality or size of a JPEG image.
package enum JPEGQuality: Sendable, Hashable {
  /// A quality, 1...100 on libjpeg's scale; other values count as the nearest one.
  case quality(Int)
  /// The size of the whole file, in bytes.
  ///
  /// `startingAt` is the quality of the first picture's first try. Later pictures start from the
  /// result of the previous one. `aimingAt` is the part of the budget to aim at, `nil` for all of
  /// it. A later file elsewhere in the budget is kept, because another encode would take longer
  /// than it saves.
  case byteBudget(ClosedRange<Int>, startingAt: Int, aimingAt: ClosedRange<Int>? = nil)

  /// The qualities that a byte budget may choose.
  ///
  /// Below them text becomes hard to read. Above them files grow without a visible gain.
  package static let budgetQualities = 20...97
}
