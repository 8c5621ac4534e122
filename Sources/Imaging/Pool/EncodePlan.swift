/// How the cores are shared by the pictures that wait to be encoded.
///
/// One picture gets all cores, so that it is ready soonest; several get fewer each, one when there
/// are as many as cores, because stripes of one picture wait for each other and pictures do not.
public struct EncodePlan: Sendable, Hashable {
  /// How many pictures are encoded at once, 1...cores.
  public let picturesAtOnce: Int
  /// How many threads work on each of them, at least 1.
  public let stripesPerPicture: Int

  /// Makes a plan.
  ///
  /// - Parameters:
  ///   - coreCount: the cores that encoding may use; less than 1 counts as 1.
  ///   - pictureCount: the pictures that wait or are being encoded; less than 1 counts as 1.
  public init(coreCount: Int, pictureCount: Int) {
    picturesAtOnce = min(max(pictureCount, 1), max(coreCount, 1))
    stripesPerPicture = max(coreCount, 1) / picturesAtOnce
  }
}

/// Who of the pictures that wait may begin, and with how many cores.
///
/// A value without threads: it is told what begins and ends. Cores are given once and come back
/// whole, so that no more threads than cores work.
public struct EncodeSchedule: Sendable, Hashable {
  /// The cores that encoding may use, at least 1.
  public let coreCount: Int
  /// The cores that are in use, 0...``coreCount``.
  public private(set) var busyCoreCount = 0
  /// The pictures that are being encoded.
  public private(set) var pictureCount = 0

  /// Makes a schedule with nothing to do.
  ///
  /// - Parameter coreCount: less than 1 counts as 1.
  public init(coreCount: Int) {
    self.coreCount = max(coreCount, 1)
  }

  /// Begins the next picture if a core is free.
  ///
  /// - Parameter waitingCount: the pictures that wait, this one among them.
  /// - Returns: how many threads are to work on it, to be given back by ``end(stripeCount:)``;
  ///   `nil` when nothing waits or all cores are in use.
  public mutating func begin(waitingCount: Int) -> Int? {
    let free = coreCount - busyCoreCount
    guard waitingCount > 0, free > 0 else { return nil }
    let plan = EncodePlan(coreCount: coreCount, pictureCount: pictureCount + waitingCount)
    let stripeCount = min(free, plan.stripesPerPicture)
    busyCoreCount += stripeCount
    pictureCount += 1
    return stripeCount
  }

  /// Ends a picture that had begun with so many threads.
  public mutating func end(stripeCount: Int) {
    precondition(
      pictureCount > 0 && (1...busyCoreCount).contains(stripeCount),
      "\(stripeCount) cores given back where \(busyCoreCount) are in use")
    busyCoreCount -= stripeCount
    pictureCount -= 1
  }
}
