/// The distribution of the cores to the pictures that wait to be encoded.
///
/// A single picture gets all cores, so that it is ready soonest. Several pictures get fewer cores each,
/// and one core each when there are as many pictures as cores. Stripes of one picture wait for each
/// other, and pictures do not.
package struct EncodePlan: Sendable, Hashable {
  /// The number of pictures that are encoded at once, 1...cores.
  package let picturesAtOnce: Int
  /// The number of threads that work on each picture, at least 1.
  package let stripesPerPicture: Int

  /// Makes a plan.
  ///
  /// - Parameters:
  ///   - coreCount: the number of cores for encoding; less than 1 counts as 1.
  ///   - pictureCount: the number of waiting and running pictures; less than 1 counts as 1.
  package init(coreCount: Int, pictureCount: Int) {
    picturesAtOnce = min(max(pictureCount, 1), max(coreCount, 1))
    stripesPerPicture = max(coreCount, 1) / picturesAtOnce
  }
}

/// The schedule of waiting pictures: the start of the next one, and its number of cores.
///
/// The schedule is a value without threads, and its user reports each start and end. A picture
/// keeps its cores from the start to the end, so that no more threads than cores work.
package struct EncodeSchedule: Sendable, Hashable {
  /// The number of cores for encoding, at least 1.
  package let coreCount: Int
  /// The number of cores in use, 0...``coreCount``.
  package private(set) var busyCoreCount = 0
  /// The number of pictures that are being encoded.
  package private(set) var pictureCount = 0

  /// Makes an idle schedule.
  ///
  /// - Parameter coreCount: the number of cores for encoding; less than 1 counts as 1.
  package init(coreCount: Int) {
    self.coreCount = max(coreCount, 1)
  }

  /// Starts the next picture if a core is free.
  ///
  /// - Parameter waitingCount: the number of waiting pictures, this one among them.
  /// - Returns: the number of threads for the picture, to be given back with ``end(stripeCount:)``;
  ///   `nil` when nothing waits or all cores are in use.
  package mutating func begin(waitingCount: Int) -> Int? {
    let free = coreCount - busyCoreCount
    guard waitingCount > 0, free > 0 else { return nil }
    let plan = EncodePlan(coreCount: coreCount, pictureCount: pictureCount + waitingCount)
    let stripeCount = min(free, plan.stripesPerPicture)
    busyCoreCount += stripeCount
    pictureCount += 1
    return stripeCount
  }

  /// Ends a picture that was started with this number of threads.
  package mutating func end(stripeCount: Int) {
    precondition(
      pictureCount > 0 && (1...busyCoreCount).contains(stripeCount),
      "\(stripeCount) cores given back where \(busyCoreCount) are in use")
    busyCoreCount -= stripeCount
    pictureCount -= 1
  }
}
