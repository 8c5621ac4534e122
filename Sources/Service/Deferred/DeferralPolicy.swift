import Devices
import Spool

/// The rules of deferred processing: final pictures are made when the rig is idle and cool.
enum DeferralPolicy {
  /// The state of the rig.
  struct Rig: Sendable, Hashable {
    /// Whether a capture is in flight.
    var isBusy = false
    /// Whether the heat of the rig forbids to average frames.
    var isHot = false
    /// The bytes of memory that are available; `nil` if unknown.
    var availableMemory: Int?
  }

  /// The next step for a proxy.
  enum Step: Sendable, Hashable {
    case makeFinal
    case keepProxy(SingleFrameReason)
  }

  /// The number of failed attempts after which a proxy is kept.
  static let attemptLimit = 3
  /// The number of attempts cut off by the end of a boot after which a proxy is kept.
  ///
  /// A power cut is not the picture's fault, but an attempt may bring the machine down each time.
  static let cutLimit = 10
  /// The memory that stays available besides what a final picture needs.
  static let spareMemory: Int64 = 64 << 20
  /// The time without captures before a final picture is made.
  static let idleTime = Duration.seconds(10)
  /// The time after which a final picture is made in spite of captures, and heat or a lack of
  /// memory keep the proxy.
  static let maximumDelay = Duration.seconds(3600)
  /// The bytes a second below which a disk is slow: five frames of 12 megapixels take a second.
  static let writingRate: Int64 = 88 << 20

  /// Returns the next step for a proxy; `nil` to wait.
  ///
  /// - Parameters:
  ///   - age: the time for which the proxy waits.
  ///   - idleTime: the time since the newest picture was taken.
  ///   - isOnlyCopy: whether the proxy is in quarantine, so that its frames wait however long.
  static func step(
    attempts: Int, cutAttempts: Int = 0, sourceBytes bytes: Int64, age: Duration,
    idle idleTime: Duration,
    isOnlyCopy: Bool = false, _ rig: Rig
  ) -> Step? {
    if attempts >= attemptLimit || cutAttempts >= cutLimit { return .keepProxy(.failed) }
    let isOverdue = age >= maximumDelay && !isOnlyCopy
    if rig.isHot { return isOverdue ? .keepProxy(.heat) : nil }
    // The source is read whole; the average and the encoding take about half of it.
    if let available = rig.availableMemory, available < bytes * 3 / 2 + spareMemory {
      return isOverdue ? .keepProxy(.memory) : nil
    }
    return isOverdue || (!rig.isBusy && idleTime >= Self.idleTime) ? .makeFinal : nil
  }

  /// Returns the number of presses to average at once after the frames of a picture were written.
  ///
  /// A slow disk takes longer to write frames than the processor to average them. The press after
  /// these is deferred, so that the disk is measured again.
  ///
  /// - Parameter count: the number before, which another picture of the burst may have raised.
  static func pressesToAverage(
    _ count: Int, afterWriting bytes: Int64, in time: Duration
  ) -> Int {
    max(count, time > .seconds(Double(bytes) / Double(writingRate)) ? 15 : 0)
  }
}
