public import Capture
import Devices
import Imaging
public import Logging
public import Spool

/// Turns a captured frame into a picture on stable storage.
///
/// It runs on an executor of its own, because encoding takes long; the spool has another one for
/// the disk. The frame's memory goes back to the camera when its press has its outcome. Pictures are
/// stored in the order in which they come, and each is compared with those stored before it, also
/// by an earlier run: what looks nearly the same is marked, and stored like all others.
public actor PhotoPipeline {
  /// What every picture of this rig says of it.
  public struct Rig: Sendable {
    /// The rig's name.
    public var id: String
    /// EXIF's Make.
    public var make: String
    /// EXIF's Model.
    public var model: String
    /// EXIF's Software.
    public var software: String
    /// JPEG quality, 1 to 100.
    public var quality: Int
    /// The kernel's name of this boot; `nil` when it cannot be read.
    public var bootID: String?

    /// Makes the description of a rig.
    public init(
      id: String, make: String, model: String, software: String, quality: Int, bootID: String?
    ) {
      self.id = id
      self.make = make
      self.model = model
      self.software = software
      self.quality = quality
      self.bootID = bootID
    }
  }

  private let executor = DispatchQueueExecutor(label: "platen.imaging")
  private let rig: Rig
  private let spool: Spool
  private let wallClock = WallClock()
  private let logger: Logger
  private var encoder: JPEGEncoder?
  private var nearDuplicates: NearDuplicates
  private var isWindowFilled: Bool
  private let window: Int
  /// The picture before, until it has its outcome.
  private var previous: Task<PressOutcome, Never>?

  /// Runs on the pipeline's own queue.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  /// Makes a pipeline into a spool.
  ///
  /// - Parameter duplicates: which pictures look nearly the same.
  public init(
    rig: Rig, duplicates: DuplicatesSection = DuplicatesSection(), spool: Spool, logger: Logger
  ) {
    nearDuplicates = NearDuplicates(
      threshold: duplicates.nearThreshold, window: duplicates.nearWindow)
    window = duplicates.nearWindow
    isWindowFilled = duplicates.nearWindow == 0
    self.rig = rig
    self.spool = spool
    self.logger = logger
  }

  /// Encodes and stores a photo; returns how its press ended.
  public func process(_ photo: CapturedPhoto) async -> PressOutcome {
    let item: NewItem
    do {
      item = try encode(photo)
    } catch {
      logger.error(
        "a picture could not be encoded, its press is refused",
        metadata: ["press.number": "\(photo.press.number)", "error": "\(error)"])
      return .refused(.encodingFailed)
    }
    // The spool writes one after the other anyway; so nothing is lost by waiting for its answer.
    let task = Task { [previous] in
      _ = await previous?.value
      return await self.store(item, pressNumber: photo.press.number)
    }
    previous = task
    return await task.value
  }

  private func store(_ item: NewItem, pressNumber: Int64) async -> PressOutcome {
    var item = item
    await fillWindow()
    let hash = item.metadata.perceptualHash.flatMap { PerceptualHash($0) }
    if let match = hash.flatMap({ nearDuplicates.match(for: $0) }) {
      item.metadata.nearDuplicateOf = match.id
      item.metadata.nearDuplicateDistance = match.distance
    }
    do {
      let stored = try await spool.store(item)
      if let hash { nearDuplicates.add(hash, id: stored.id.description) }
      return .stored(
        StoredPhoto(
          itemID: stored.id.description, path: stored.path, byteCount: Int(stored.byteCount),
          sha256: stored.sha256, nearDuplicateOf: item.metadata.nearDuplicateOf))
    } catch {
      logger.error(
        "a picture could not be stored, its press is refused",
        metadata: ["press.number": "\(pressNumber)", "error": "\(error)"])
      return .refused(error.code == .full ? .storageFull : .storageFailed)
    }
  }

  /// Recalls the pictures of an earlier run, once.
  private func fillWindow() async {
    guard !isWindowFilled else { return }
    isWindowFilled = true
    // Without them there is less to compare with; what is wrong with the spool it says itself.
    for item in (try? await spool.recentItems(limit: window))?.reversed() ?? [] {
      guard let hash = item.metadata.perceptualHash.flatMap({ PerceptualHash($0) }) else {
        continue
      }
      nearDuplicates.add(hash, id: item.id.description)
    }
  }

  private func encode(_ photo: CapturedPhoto) throws -> NewItem {
    let encoder = try self.encoder ?? JPEGEncoder()
    self.encoder = encoder
    let frame = photo.frame
    let midpoint = frame.info.exposureMidpoint
    let wall = wallClock.reading(at: midpoint)
    let uniqueID = PhotoPipeline.makeUniqueID()
    let jpeg = try frame.withBytes { bytes in
      try encoder.encode(bytes: bytes, format: frame.format, quality: rig.quality)
    }
    let hash =
      try window > 0
      ? frame.withBytes { bytes in
        try PerceptualHash.compute(
          bytes: bytes, format: frame.format, clockwiseRotation: photo.captureAngle)
      } : nil
    let orientation = ImageOrientation(clockwiseRotation: photo.captureAngle) ?? .up
    let exif = EXIFMetadata(
      orientation: orientation, make: rig.make, model: rig.model, software: rig.software,
      captured: WallClockTime(
        nanosecondsSince1970: wall.nanosecondsSinceEpoch, utcOffsetMinutes: wall.secondsFromGMT / 60
      ),
      clockIsSynchronized: wall.trust == .synchronized,
      exposureDuration: frame.info.exposureDuration, isoSpeed: frame.info.isoSpeed,
      lensPosition: frame.info.lensPosition, imageUniqueID: uniqueID, rigID: rig.id,
      pressNumber: UInt64(max(0, photo.press.number)), selectionError: photo.selection.error)
    let bytes = try JPEGFile.assemble(jpeg: jpeg, exif: exif)

    var metadata = ItemMetadata(
      rigID: rig.id, pressNumber: photo.press.number,
      captured: CaptureTime(
        bootID: rig.bootID, monotonicNanoseconds: midpoint.nanoseconds,
        wallNanoseconds: wall.nanosecondsSinceEpoch,
        wallTrust: wall.trust == .synchronized ? .synchronised : .estimated))
    metadata.pressSource = photo.press.source.rawValue
    metadata.pressMonotonicNanoseconds = photo.press.time.nanoseconds
    metadata.orientation = Int(orientation.rawValue)
    metadata.captureAngle = photo.captureAngle
    metadata.selectionErrorNanoseconds = photo.selection.error.wholeNanoseconds
    metadata.frameIntervalNanoseconds = photo.selection.frameInterval?.wholeNanoseconds
    metadata.frameSequence = Int64(clamping: frame.info.sequence)
    metadata.exposureNanoseconds = frame.info.exposureDuration?.wholeNanoseconds
    metadata.isoSpeed = frame.info.isoSpeed
    metadata.camera = photo.camera.id
    metadata.mediaType = "image/jpeg"
    metadata.width = frame.format.size.width
    metadata.height = frame.format.size.height
    metadata.imageUniqueID = uniqueID
    metadata.perceptualHash = hash?.description
    return NewItem(bytes: bytes, metadata: metadata)
  }

  /// Makes 32 hexadecimal digits that no other picture has (Exif 2.32, tag 0xA420).
  private static func makeUniqueID() -> String {
    (0..<2).map { _ in
      let digits = String(UInt64.random(in: .min ... .max), radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }
}
