/// Which picture a retake replaces: that of the press before it.
///
/// When a retake is pressed, the picture before it may still be on its way to the disk, or get
/// there never. So a retake names presses, the newest first, and replaces the picture of the first
/// one that has any when the retake itself is stored: a retake of a retake that was refused replaces
/// what that one should have replaced. Presses that were not admitted do not count.
public struct RetakeTrail: Sendable, Hashable {
  /// How many presses a retake names at most.
  public static let limit = 16

  /// What a retake would replace now, the newest first.
  public private(set) var presses: [Int64]

  /// Makes a trail.
  ///
  /// - Parameter press: the last press of an earlier run that has a picture; `nil` for none.
  public init(after press: Int64? = nil) {
    presses = press.map { [$0] } ?? []
  }

  /// Takes a press that has been admitted.
  ///
  /// - Parameters:
  ///   - number: the press's number.
  ///   - isRetake: whether it replaces the last picture.
  /// - Returns: the presses of which the first with a picture is replaced; empty when none is.
  public mutating func admit(_ number: Int64, isRetake: Bool) -> [Int64] {
    let replaced = isRetake ? presses : []
    presses = Array(([number] + replaced).prefix(Self.limit))
    return replaced
  }
}
