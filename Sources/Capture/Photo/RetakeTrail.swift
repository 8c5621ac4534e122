/// The presses whose picture a retake replaces.
///
/// When a retake is pressed, the picture before it may still be on its way to the disk, or never
/// get there. So a retake names presses, the newest first. When the retake is stored, it replaces
/// the picture of the first listed press that has one. A retake of a refused retake therefore
/// replaces the picture that the refused one should have replaced. Presses that were not admitted
/// do not count.
package struct RetakeTrail: Sendable, Hashable {
  /// The maximum number of presses that a retake names.
  package static let limit = 16

  /// The presses that a retake made now would name, the newest first.
  package private(set) var presses: [Int64]

  /// Makes a trail.
  ///
  /// - Parameter press: the last press of an earlier run that has a picture; `nil` for none.
  package init(after press: Int64? = nil) {
    presses = press.map { [$0] } ?? []
  }

  /// Takes a press that has been admitted.
  ///
  /// - Parameters:
  ///   - number: the press's number.
  ///   - isRetake: whether it replaces the last picture.
  /// - Returns: the presses of which the first with a picture is replaced; empty for no retake.
  package mutating func admit(_ number: Int64, isRetake: Bool) -> [Int64] {
    let replaced = isRetake ? presses : []
    presses = Array(([number] + replaced).prefix(Self.limit))
    return replaced
  }
}
