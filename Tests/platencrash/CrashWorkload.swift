import ArgumentParser
import Devices
import Digests
import Foundation
import Logging
import Spool
import TestSupport

/// The life of a spool in a few seconds: pictures come and are delivered, and the service restarts.
///
/// Once, the database is lost.
struct CrashWorkload: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "workload", abstract: "Stores and delivers pictures and marks each promise.")

  @Option(help: "The spool's directory.")
  var directory: String

  @Option(help: "The block device behind whose file system the marks go.")
  var marks: String

  @Option(help: "Where the marks begin on it, in bytes.")
  var marksOffset: Int

  @Option(
    help: """
      How many pictures. The last two thirds come without a restart: from about 30 of them on the \
      database's log is written over in place, and a commit no longer flushes the directories, too.
      """)
  var pictures = 60

  @Option(help: "What the pictures and the order are made from.")
  var seed: UInt64 = 1

  @Flag(help: "Remove a file before its receipt is committed: wrong, for the referee to notice.")
  var unlinkFirst = false

  func run() async throws {
    let marks = try PromiseMarks(path: marks, offset: marksOffset)
    var random = SeededGenerator(seed: seed)
    var bytes: [UInt8] = []
    var parked: [ItemID] = []
    var recorder: CrashRecorder?
    var spool = try await open()
    for picture in 0..<pictures {
      if picture == pictures / 6 {
        recorder = nil
        await spool.close()
        spool = try await open()
      }
      if picture == pictures / 3 {
        // The index is lost and has to be rebuilt from the files. Pictures that came twice are done
        // with the receipt of the first, without a mark of their own.
        for item in try await spool.recentItems(limit: 10_000)
        where [.delivered, .purged].contains(item.state) {
          try marks.write(.done(id: item.id.description))
        }
        await spool.close()
        try marks.write(.indexLost)
        for suffix in ["", "-wal", "-shm"] { unlink(directory + "/queue.db" + suffix) }
        // Only the index knows which pictures were set aside, so these wait again.
        parked = []
        recorder = nil
        spool = try await open()
      }
      let count = Int.random(in: 1_000...20_000, using: &random)
      // Sometimes the same picture comes again.
      let isSameAgain = picture > 0 && Int.random(in: 0..<8, using: &random) == 0
      if !isSameAgain {
        bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
      }
      let press = Int64(2 * picture + 1)
      spool.enter(Self.entry(press))
      // The second press came while the spool was busy.
      spool.enter(Self.entry(press + 1, .refused("tooManyCapturesInFlight")))
      if Bool.random(using: &random) {
        try await spool.writePresses()
        try marks.write(.refused(press: press + 1, reason: "tooManyCapturesInFlight"))
      }
      var new = try item(bytes, press: press, isFile: picture % 5 == 2)
      // A picture that comes as a file has no source.
      if picture % 4 == 3, picture % 5 != 2 {
        let source = try await spool.beginSource(byteCount: Int64(bytes.count))
        try await spool.write(bytes, to: source)
        new.source = source
      }
      let stored = try await spool.store(new)
      try marks.write(.stored(id: stored.id.description, sha256: stored.sha256, press: press))
      if stored.isProxy { try marks.write(.proxy(id: stored.id.description)) }
      spool.enter(Self.entry(press, .stored([stored.id])))
      // A recording goes on beside the pictures, and over a restart.
      if picture % 8 == 1 { recorder = try await begin(Int64(1000 + picture), spool) }
      if picture % 2 == 1 { try await grow(&recorder, spool, marks) }
      if picture % 8 == 0 {
        let numbers = try await spool.reservePressNumbers(count: 64)
        try marks.write(.numbers(below: numbers.upperBound))
      }
      switch Int.random(in: 0..<8, using: &random) {
      case 0: break
      case 1: try await finish(spool, marks)
      case 2: if let id = try await park(spool, marks) { parked.append(id) }
      case 3 where !parked.isEmpty: try await retry(parked.removeFirst(), spool, marks)
      case 4: try await begin(spool)
      default: try await deliver(spool, marks)
      }
    }
    while try await finish(spool, marks) {}
    for id in parked { try await retry(id, spool, marks) }
    while try await deliver(spool, marks) {}
    await spool.close()
    try marks.write(.end)
  }

  private func begin(_ press: Int64, _ spool: Spool) async throws -> CrashRecorder {
    spool.enter(Self.entry(press))
    let metadata = ItemMetadata(rigID: "crash", pressNumber: press, captured: Self.unknownTime)
    return CrashRecorder(
      try await spool.beginRecording(metadata, roomForBytes: 0), press: press)
  }

  /// Adds a fragment, and ends a whole recording: every third is removed, the others are stored.
  private func grow(
    _ recorder: inout CrashRecorder?, _ spool: Spool, _ marks: PromiseMarks
  ) async throws {
    guard var growing = recorder.take() else { return }
    let id = growing.recording.id.description
    let bytes = try growing.grow()
    try marks.write(.recorded(id: id, bytes: bytes, press: growing.press))
    guard growing.isDone else { return recorder = growing }
    if growing.press % 3 == 0 {
      try marks.write(.discarding(id: id))
      return await spool.discard(growing.recording)
    }
    let metadata = ItemMetadata(
      rigID: "crash", pressNumber: growing.press, captured: Self.unknownTime)
    let stored = try await spool.store(growing.recording, metadata: metadata)
    try marks.write(.stored(id: id, sha256: stored.sha256, press: growing.press))
  }

  private static let unknownTime = CaptureTime(
    bootID: nil, monotonicNanoseconds: nil, wallNanoseconds: nil, wallTrust: .unknown)

  /// Makes the item of a press, in memory or as an unsynced file beside the spool.
  private func item(_ bytes: [UInt8], press: Int64, isFile: Bool) throws -> NewItem {
    let metadata = ItemMetadata(
      rigID: "crash", pressNumber: press, captured: Self.unknownTime)
    guard isFile else { return NewItem(bytes: bytes, metadata: metadata) }
    let path = directory + ".source"
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    return NewItem(file: path, fileExtension: "jpg", metadata: metadata)
  }

  /// Ends the wait of the oldest proxy, mostly by a final picture; returns whether there was one.
  @discardableResult
  private func finish(_ spool: Spool, _ marks: PromiseMarks) async throws -> Bool {
    guard let proxy = try await spool.nextProxy() else { return false }
    let id = proxy.id.description
    if proxy.id.sequence % 3 == 0 {
      try marks.write(.keeping(id: id))
      try await spool.keepProxy(proxy.id, because: .memory)
      return true
    }
    let bytes = Array(try await spool.beginFinal(of: proxy.id).reversed())
    let sha256 = Digest.value(.sha256, of: bytes).hexadecimal
    try marks.write(.finishing(id: id, sha256: sha256))
    try await spool.replaceProxy(proxy.id, bytes: bytes, metadata: proxy.metadata)
    try marks.write(.stored(id: id, sha256: sha256, press: proxy.metadata.pressNumber ?? 0))
    return true
  }

  private static func entry(
    _ press: Int64, _ outcome: PressEntry.Outcome? = nil
  ) -> PressEntry {
    var entry = PressEntry(number: press, time: unknownTime, source: .button)
    entry.gesture = .single
    entry.readiness = .ready
    entry.outcome = outcome
    return entry
  }

  private func open() async throws -> Spool {
    var configuration = SpoolConfiguration(
      directory: directory, rigID: "crash", minimumFreeBytes: 0)
    // The disk is small, and so are the pictures.
    configuration.roomBesideSources = 1 << 20
    let spool = try await Spool.open(
      configuration, logger: Logger(label: "crash") { _ in SwiftLogNoOpLogHandler() })
    await spool.finishAdoption()
    return spool
  }

  /// Sets the oldest picture aside; returns its ID.
  private func park(_ spool: Spool, _ marks: PromiseMarks) async throws -> ItemID? {
    guard let delivery = try await spool.nextDelivery() else { return nil }
    try await spool.park(
      delivery.id, failure: DeliveryFailure(code: "rejected", message: "the target wants it not"))
    try marks.write(.parked(id: delivery.id.description))
    return delivery.id
  }

  private func retry(_ id: ItemID, _ spool: Spool, _ marks: PromiseMarks) async throws {
    try marks.write(.retried(id: id.description))
    try await spool.retry(id)
  }

  /// Begins a delivery that is interrupted, with the state to resume it later.
  private func begin(_ spool: Spool) async throws {
    guard let delivery = try await spool.nextDelivery() else { return }
    try await spool.keepResumeState("upload-\(delivery.id)", of: delivery.id)
    try await spool.recordAttempt(
      delivery.id, failure: DeliveryFailure(code: "timedOut", message: "too slow"))
  }

  /// Delivers the oldest picture; returns whether there was one.
  @discardableResult
  private func deliver(_ spool: Spool, _ marks: PromiseMarks) async throws -> Bool {
    guard let delivery = try await spool.nextDelivery() else { return false }
    guard try await spool.verifyForDelivery(delivery.id) == .intact else { return true }
    try marks.write(.received(id: delivery.id.description))
    if unlinkFirst { try removeDurably(delivery.path) }
    try await spool.complete(
      delivery.id,
      receipt: Receipt(
        url: "http://server/\(delivery.remoteName)", remoteName: delivery.remoteName,
        sha256: delivery.sha256, httpStatus: 201, wallNanoseconds: 0))
    try marks.write(.done(id: delivery.id.description))
    return true
  }
}

/// Removes a file and syncs its directory to stable storage, as a person does to free space.
private func removeDurably(_ path: String) throws {
  unlink(path)
  let directory = open((path as NSString).deletingLastPathComponent, O_RDONLY | O_DIRECTORY)
  guard directory >= 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
  defer { close(directory) }
  guard fsync(directory) == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
}
