import Devices

/// Delivers items to a directory, such as that of a removable drive.
///
/// The directory must hold a marker, `.platen-target`, with the configured name, which a person puts
/// there. So an unmounted mount point is never filled, nor somebody else's drive. An item is written
/// as `.<name>.part`, forced to the medium, read back from there and compared, and renamed to its
/// name without replacing anything; then a line of `MANIFEST.sha256`
/// in the directory says so, which `sha256sum -c` reads.
///
/// Deliveries to one target come one after the other, on a thread of the target's own.
public struct DirectoryTarget: UploadTarget {
  /// The marker's name.
  public static let markerName = ".platen-target"
  /// The manifest's name.
  public static let manifestName = "MANIFEST.sha256"

  private let store: DirectoryStore
  private let configuration: DirectoryConfiguration

  /// Makes a target; nothing is opened yet.
  ///
  /// - Throws: ``DeliveryFailure`` with `blocked` when the configuration cannot be used.
  public init(
    _ configuration: DirectoryConfiguration,
    wallNanoseconds: @escaping @Sendable () -> Int64 = UploadTime.system.wallNanoseconds
  ) throws(DeliveryFailure) {
    try self.init(configuration, wallNanoseconds: wallNanoseconds, willReadBack: {})
  }

  /// Makes a target that calls a closure when an item is on the medium and not yet read back.
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
  public var description: String { "\(configuration.directory) (\(configuration.name))" }

  /// Delivers an item.
  ///
  /// - Throws: ``DeliveryFailure``.
  public func deliver(
    _ delivery: PendingDelivery, journal: any DeliveryJournal
  ) async throws(DeliveryFailure) -> Receipt {
    try await store.deliver(delivery, note: { journal.note($0) })
  }

  private static func check(directory: String, name: String) throws(DeliveryFailure) {
    guard directory.hasPrefix("/"), !directory.contains("\0") else {
      throw DeliveryFailure(
        .blocked, scope: .target, text: "\"\(directory)\" is not an absolute path")
    }
    guard (1...64).contains(name.utf8.count), name.utf8.allSatisfy(DirectoryMarker.isNameByte)
    else {
      throw DeliveryFailure(
        .blocked, scope: .target,
        text: "\"\(name)\" is no name of a target: expected 1 to 64 of A-Z a-z 0-9 _ -")
    }
  }
}
