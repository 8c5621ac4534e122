package import Devices

/// A kind of picture that is made of a frame.
///
/// The aspect is kept, and nothing is enlarged or turned. Exif's orientation describes the turn. A
/// ``document`` of a page that was found is straightened instead (``DocumentLimits``).
package struct Rendition: Sendable, Hashable {
  /// The name in settings and in metadata, for example `document`.
  package let name: String
  /// The box that the rendition fits into; `nil` for the frame's own size.
  ///
  /// For a portrait frame the box is turned.
  package let box: Box?

  /// A box in either orientation.
  package struct Box: Sendable, Hashable {
    /// The longer side in pixels, at least 1.
    package let longerSide: Int
    /// The shorter side in pixels, at least 1.
    package let shorterSide: Int

    /// Makes a box from its sides in any order; less than 1 counts as 1.
    package init(_ side: Int, _ otherSide: Int) {
      longerSide = max(side, otherSide, 1)
      shorterSide = max(min(side, otherSide), 1)
    }
  }

  /// The picture in the size that the camera gave.
  package static let full = Rendition(name: "full", box: nil)
  /// A picture for reading text, 1024×768 at most.
  package static let document = Rendition(name: "document", box: Box(1024, 768))
  /// A picture for lists, with 320 pixels on its longer side at most.
  package static let thumbnail = Rendition(name: "thumbnail", box: Box(320, 320))

  /// Returns the size of a frame's rendition.
  ///
  /// - Parameter frame: the frame's columns and rows, at least 1 each.
  package func size(of frame: FrameSize) -> FrameSize {
    guard let box else { return frame }
    let longer = max(frame.width, frame.height, 1)
    let shorter = max(min(frame.width, frame.height), 1)
    guard longer > box.longerSide || shorter > box.shorterSide else { return frame }
    // The side that reaches the box first decides, and the other side is rounded.
    let isLongerDecisive = box.longerSide * shorter <= box.shorterSide * longer
    func rounded(_ side: Int, _ numerator: Int, _ denominator: Int) -> Int {
      max(1, (2 * side * numerator + denominator) / (2 * denominator))
    }
    let newLonger =
      isLongerDecisive ? box.longerSide : rounded(longer, box.shorterSide, shorter)
    let newShorter =
      isLongerDecisive ? rounded(shorter, box.longerSide, longer) : box.shorterSide
    return frame.width >= frame.height
      ? FrameSize(width: newLonger, height: newShorter)
      : FrameSize(width: newShorter, height: newLonger)
  }
}
