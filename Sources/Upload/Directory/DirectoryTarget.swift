import Devices
import Settings

/// A target that stores items in a directory, for example on a removable drive.
///
/// A person puts a marker, `.platen-target`, with the configured name into the directory. So
/// neither an unmounted mount point nor a foreign drive is ever filled.
///
/// An item is written as `.<name>.part`, forced to the medium, read back and compared. Then the
/// file gets the item's name without replacing anything. A line of `MANIFEST.sha256`, which
/// `sha256sum -c` reads, records the item.
///
/// Deliveries to one target run one after the other, on the target's own queue.
package struct DirectoryTarget: UploadTarget {
  /// The marker's name.
  package static let markerName = ".platen-target"
  /// The manifest's name.
  package static let manifestName = "MANIFEST.sha256"

  private let store: DirectoryStore
  private let configuration: DirectoryConfiguration

  /// Makes a target; nothing is opened yet.
  ///
  /// - Throws: ``DeliveryFailure`` with `blocked` when the configuration cannot be used.
  package init(
    _ configuration: DirectoryConfiguration,
    wallNanoseconds: @escaping @Sendable () -> Int64 = UploadTime.system.wallNanoseconds
  ) throws(DeliveryFailure) {
    try self.init(configuration, wallNanoseconds: wallNanoseconds, willReadBack: {})
  }

  /// Makes a target that calls a closure when an item is written and not yet read back.
  init(
    _ configuration: DirectoryConfiguration,
    wallNanoseconds: @escaping @Sendable () -> Int64 = UploadTime.system.wallNanoseconds,
    willReadBack: @escaping @Sendable () -> Void
  ) throws(DeliveryFailure) {
    try Self.check(directory: configuration.directory, name: configuration.name)
    self.configuration = configuration
    store = DirectoryStore(
      configuration, wallNanoseconds: wallNanoseconds, willReadBack: willReadBack)
  }

  /// The directory and the name in its marker.
  package var description: String { "\(configuration.directory) (\(configuration.name))" }

  /// Delivers an item.
  ///
  /// - Throws: ``DeliveryFailure``.
  package func deliver(
    _ delivery: PendingDelivery, journal: any DeliveryJournal
  ) async throws(DeliveryFailure) -> Receipt {
    try await store.deliver(delivery, note: { journal.note($0) })
  }

  private static func check(directory: String, name: String) throws(DeliveryFailure) {
    guard directory.hasPrefix("/"), !directory.contains("\0") else {
      throw DeliveryFailure(
        .blocked, scope: .target, text: "\"\(directory)\" is not an absolute path")
    }
    guard DirectoryMarker.nameCharacters.allow(name, length: 1...64) else {
      throw DeliveryFailure(
        .blocked, scope: .target,
        text: "\"\(name)\" is no name of a target: expected 1 to 64 of A-Z a-z 0-9 _ -")
    }
  }
}
