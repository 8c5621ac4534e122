package import Capture
import Devices
import Doctor
import Foundation
package import Imaging
package import Logging
import PageSense
package import RigConfiguration
package import Spool

/// The pipeline from a captured frame to a picture on stable storage.
///
/// An ``EncoderPool`` encodes: one picture uses all cores; several waiting pictures use one core
/// each. The frame's memory goes back to the camera as soon as it is encoded. Pictures are stored
/// in the order in which they come. The page of each press is read once, beside the encoding where
/// gravity has told which way up it is, else before. Each picture is compared with those stored
/// before it, including those of an earlier run. Near duplicates are marked, and stored like all
/// others.
package actor PhotoPipeline {
  /// The facts about the rig in every picture.
  package struct Rig: Sendable {
    /// The rig's name.
    package var id: String
    /// The maker in EXIF (Make).
    package var make: String
    /// The model in EXIF (Model).
    package var model: String
    /// The software in EXIF (Software).
    package var software: String
    /// The kernel's name of this boot; `nil` when it cannot be read.
    package var bootID: String?

    package init(
      id: String, make: String, model: String, software: String, bootID: String?
    ) {
      self.id = id
      self.make = make
      self.model = model
      self.software = software
      self.bootID = bootID
    }
  }

  /// A photo's files and their description.
  struct Encoded: Sendable {
    var pictures: [EncodedPicture]
    var hash: PerceptualHash?
    /// The look of the page; `nil` where pages are not compared.
    var look: PageLook?
    var description: PhotoDescription
    /// The source of a proxy, which is on stable storage.
    var source: PendingSource?
    /// The reason that the page was not read; `nil` for none.
    var readingFailure: (any Error)?
    /// The damage of a bracket's frame in words; `nil` for a whole frame.
    var damage: String?
  }

  let rig: Rig
  let spool: Spool
  let wallClock = WallClock()
  let logger: Logger
  let image: ImageSection
  let page: PageSection
  /// The reading of a page; `nil` if pages are not read.
  let readPage: PageReading?
  private(set) var receiveTextAngle: TextAngleReceiver?
  /// Whether a page that could not be read has been logged.
  var hasLoggedUnreadPage = false
  let pool: EncoderPool
  /// The number of presses to average at once, because the disk was slow.
  var pressesToAverage = 0
  var nearDuplicates: NearDuplicates
  /// The look of the page of the newest stored picture; `nil` if it has none.
  var newestLook: PageLook? { didSet { hasNewestLook = true } }
  /// Whether a picture of this run is the newest stored one.
  private(set) var hasNewestLook = false
  private var isWindowFilled: Bool
  let window: Int
  /// The ways of missing the byte budget that have been logged.
  var loggedMisses: Set<ByteBudgetSearch.Fit> = []
  /// The previous picture until it has its outcome.
  private var previous: Task<PressOutcome, Never>?
  let availableMemory: @Sendable () -> Int?

  /// Makes a pipeline into a spool.
  ///
  /// - Parameters:
  ///   - rig: the facts about the rig in every picture.
  ///   - image: the files of a capture.
  ///   - page: the use of what is read of a page.
  ///   - readPage: the reading of a page; `nil` reads no pages.
  ///   - duplicates: the limits for near duplicates.
  ///   - coreCount: the number of cores for encoding, 1 or more; `nil` for all.
  ///   - availableMemory: a function that returns the machine's free memory in bytes; `nil` if
  ///     unknown.
  ///   - spool: the spool that stores the pictures.
  ///   - logger: the logger.
  package init(
    rig: Rig, image: ImageSection = ImageSection(), page: PageSection = PageSection(),
    readPage: PageReading? = nil,
    duplicates: NearDuplicates.Configuration = NearDuplicates.Configuration(),
    coreCount: Int? = nil,
    availableMemory: @escaping @Sendable () -> Int? = { AvailableMemory.read() }, spool: Spool,
    logger: Logger
  ) {
    self.availableMemory = availableMemory
    self.image = image
    self.page = page
    self.readPage = readPage
    pool = EncoderPool(coreCount: coreCount ?? ProcessInfo.processInfo.activeProcessorCount)
    nearDuplicates = NearDuplicates(duplicates)
    window = duplicates.window
    isWindowFilled = duplicates.window == 0
    self.rig = rig
    self.spool = spool
    self.logger = logger
  }

  /// Tells the angles of texts from now on, each before its picture is encoded.
  package func tellTextAngles(to receiver: @escaping TextAngleReceiver) {
    receiveTextAngle = receiver
  }

  /// Encodes and stores a photo.
  ///
  /// - Parameters:
  ///   - photo: the frame and its settings.
  ///   - deliver: a function that is called for each file on stable storage.
  /// - Returns: the outcome of the press: stored when the photo itself is. Another rendition that
  ///   cannot be stored is logged and not delivered.
  package func process(
    _ photo: CapturedPhoto, deliver: @escaping @Sendable (PhotoDelivery) async -> Void = { _ in }
  ) async -> PressOutcome {
    let number = photo.press.number
    let replaced = photo.settings.replacedPresses
    let encoding = Task { [self] in try await encodeAll(photo) }
    let task = Task { [previous, logger] () async -> PressOutcome in
      let result = await encoding.result
      // The spool writes one picture after the other anyway, so waiting for its answer costs
      // nothing.
      _ = await previous?.value
      switch result {
      case .success(let encoded):
        guard let first = encoded.photos.first else { return .refused(.encodingFailed) }
        let outcome: PressOutcome
        if encoded.photos.count > 1 {
          outcome = await self.store(
            bracket: encoded.photos, pressNumber: number, replaced, deliver)
        } else {
          outcome = await self.store(first, pressNumber: number, replacing: replaced, deliver)
        }
        await self.storeRaw(of: encoded, after: outcome, deliver)
        return outcome
      case .failure(let error):
        logger.error(
          "a picture could not be encoded, its press is refused",
          metadata: ["press.number": "\(number)", "error": "\(error)"])
        return .refused(.encodingFailed)
      }
    }
    previous = task
    return await task.value
  }

  /// Loads the pictures of an earlier run, once.
  func fillWindow() async {
    guard !isWindowFilled else { return }
    isWindowFilled = true
    // Without these pictures, there is less to compare with. The spool reports its own problems.
    for item in (try? await spool.recentItems(limit: window))?.reversed() ?? [] {
      guard item.metadata.isFirstOfPress,
        let hash = item.metadata.perceptualHash.flatMap({ PerceptualHash($0) })
      else { continue }
      nearDuplicates.add(hash, id: item.id.description)
    }
  }
}
