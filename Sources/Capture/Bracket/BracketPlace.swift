/// The place of a picture among those of a bracket, or of the merged one.
package struct BracketPlace: Sendable, Hashable {
  /// The picture's number, from 1; `nil` for the merged picture.
  package var index: Int?
  /// The number of pictures of the bracket.
  package var count: Int
  /// The exposure's difference from the metered one in EV; `nil` for a bracket of the focus.
  package var exposureBias: Double?
  /// The name of the lamp that lit the picture alone; `nil` for other brackets.
  package var lamp: String?

  package init(index: Int?, count: Int, exposureBias: Double?, lamp: String? = nil) {
    self.lamp = lamp
    self.index = index
    self.count = count
    self.exposureBias = exposureBias
  }
}
