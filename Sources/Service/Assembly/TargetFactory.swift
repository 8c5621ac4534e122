import Devices
import Logging
import RigConfiguration
import Spool
import Upload

/// A maker of the configured targets, each with its uploader.
struct TargetFactory {
  /// A target and its uploader.
  struct Product: Sendable {
    var section: TargetSection
    var url: String
    var uploader: Uploader
  }

  let spool: Spool
  let time: UploadTime
  let logger: Logger

  /// Makes a target and its uploader; nothing is connected yet.
  ///
  /// - Throws: `DeliveryFailure` for a URL that cannot be used.
  func make(_ section: TargetSection) throws -> Product {
    let destination = section.destination
    let bandwidth = destination.place.http?.bytesPerSecond.map {
      BandwidthShare(bytesPerSecond: $0)
    }
    let target = try destination.makeTarget(
      name: section.name, bandwidth: bandwidth, userAgent: "platen/\(PlatenVersion.current)")
    let uploader = Uploader(
      queue: SpoolDeliveryQueue(spool: spool, target: TargetID(rawValue: section.name)),
      target: target, policy: section.policy, bandwidth: bandwidth, time: time, logger: logger)
    return Product(section: section, url: target.description, uploader: uploader)
  }
}
