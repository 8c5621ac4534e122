/// The size of a sheet of paper, or of anything flat with four right angles.
public struct SheetSize: Sendable, Hashable {
  /// The shorter side in millimeters.
  public let shorter: Double
  /// The longer side in millimeters.
  public let longer: Double

  /// Makes a size of two sides in millimeters, above 0, in any order.
  public init(_ one: Double, _ other: Double) {
    shorter = min(one, other)
    longer = max(one, other)
  }

  /// The longer side as a multiple of the shorter one.
  public var ratio: Double { longer / shorter }
}
