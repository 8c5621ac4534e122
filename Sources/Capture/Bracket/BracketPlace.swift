/// The place of a picture among those of a bracket, or of the merged one.
package struct BracketPlace: Sendable, Hashable {
  /// The picture's number, from 1; `nil` for the merged picture.
  package var index: Int?
  /// The number of pictures of the bracket.
  package var count: Int
  /// The exposure's difference from the metered one in EV; `nil` for a bracket of the focus.
  package var exposureBias: Double?

  package init(index: Int?, count: Int, exposureBias: Double?) {
    self.index = index
    self.count = count
    self.exposureBias = exposureBias
  }
}
