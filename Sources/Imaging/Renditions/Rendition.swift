public import Devices

/// One of the pictures that are made of the same frame.
///
/// The aspect is kept, nothing is enlarged and nothing turned: how to turn it is Exif's to say.
public struct Rendition: Sendable, Hashable {
  /// What it is called in settings and in what is stored, for example `document`.
  public let name: String
  /// The box it fits into; `nil` for the frame's own size.
  ///
  /// A frame on its side fits into the box on its side.
  public let box: Box?

  /// A box that may lie or stand.
  public struct Box: Sendable, Hashable {
    /// The longer side in pixels, at least 1.
    public let longerSide: Int
    /// The shorter side in pixels, at least 1.
    public let shorterSide: Int

    /// Makes a box from its sides in any order; less than 1 counts as 1.
    public init(_ side: Int, _ otherSide: Int) {
      longerSide = max(side, otherSide, 1)
      shorterSide = max(min(side, otherSide), 1)
    }
  }

  /// Makes a rendition.
  public init(name: String, box: Box?) {
    self.name = name
    self.box = box
  }

  /// The picture as the camera gave it.
  public static let full = Rendition(name: "full", box: nil)
  /// A picture to read text from: 1024×768 at most.
  public static let document = Rendition(name: "document", box: Box(1024, 768))
  /// A picture for lists: 320 pixels on its longer side.
  public static let thumbnail = Rendition(name: "thumbnail", box: Box(320, 320))

  /// The size of the rendition of a frame.
  ///
  /// - Parameter frame: columns and rows, at least 1 each.
  public func size(of frame: FrameSize) -> FrameSize {
    guard let box else { return frame }
    let longer = max(frame.width, frame.height, 1)
    let shorter = max(min(frame.width, frame.height), 1)
    guard longer > box.longerSide || shorter > box.shorterSide else { return frame }
    // Whichever side reaches the box first decides; the other is rounded.
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
