/// The size of a sheet of paper or of another flat object with four right angles.
package struct SheetSize: Sendable, Hashable {
  /// The shorter side in millimeters.
  package let shorter: Double
  /// The longer side in millimeters.
  package let longer: Double

  /// Makes a size from two sides in millimeters, above 0, in any order.
  package init(_ one: Double, _ other: Double) {
    shorter = min(one, other)
    longer = max(one, other)
  }

  /// The longer side as a multiple of the shorter one.
  package var ratio: Double { longer / shorter }
}
