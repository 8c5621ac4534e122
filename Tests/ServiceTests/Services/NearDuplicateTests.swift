import Capture
import Devices
import Foundation
import Imaging
import Logging
import Service
import SimulatedDevices
import Spool
import Testing
import TestSupport

/// Pictures that look nearly the same, from the press to the sidecar.
@Suite(.timeLimit(.minutes(10))) struct NearDuplicateTests {
  private static let size = FrameSize(width: 640, height: 480)
  private let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

  /// Takes a picture of each page in its turn and returns the stored items in the same order.
  private func take(
    _ pages: [Int], in directory: String, _ duplicates: NearDuplicates.Configuration
  ) async throws -> [(photo: StoredPhoto, metadata: ItemMetadata)] {
    let spool = try await Spool.open(
      SpoolConfiguration(directory: directory, rigID: "test", minimumFreeBytes: 1 << 20),
      logger: logger)
    let pipeline = PhotoPipeline(
      rig: PhotoPipeline.Rig(
        id: "test", make: "Platen", model: "Test", software: "Platen", bootID: nil),
      duplicates: duplicates, spool: spool, logger: logger)
    let world = SimulatedWorld()
    let session = CaptureSession(
      configuration: .patient(Self.size),
      cameras: SimulatedCameraSystem(world: world),
      numbers: PressNumbers { try await spool.reservePressNumbers(count: $0) },
      clock: world.clock, logger: logger, receive: { await pipeline.process($0, deliver: $1) })
    let events = session.events.listen(limit: 1024)
    let running = Task { try await session.run() }
    for await case .readiness(let readiness) in events where readiness.state == .ready { break }
    var taken: [(StoredPhoto, ItemMetadata)] = []
    for page in pages {
      world.showPage(page)
      let number = try await session.press(
        at: world.clock.now.advanced(by: .milliseconds(200)), source: .button)
      guard case .stored(let photo) = await session.outcome(of: number)?.outcome else {
        let outcome = await session.outcome(of: number)
        Issue.record("press \(number) ended as \(String(describing: outcome))")
        continue
      }
      let id = try #require(ItemID(photo.itemID))
      let item = try #require(try await spool.item(id))
      taken.append((photo, item.metadata))
    }
    running.cancel()
    _ = await running.result
    await spool.close()
    return taken
  }

  private func withDirectory(_ body: (String) async throws -> Void) async throws {
    let place = TemporaryDirectory()
    defer { withExtendedLifetime(place) {} }
    let directory = place.path + "/spool"
    try await body(directory)
  }

  @Test func `a near duplicate is marked and still stored`() async throws {
    try await withDirectory { directory in
      var duplicates = NearDuplicates.Configuration()
      duplicates.threshold = 2
      let taken = try await take([1, 1, 1], in: directory, duplicates)
      try #require(taken.count == 3)
      #expect(taken[0].metadata.nearDuplicateOf == nil)
      #expect(taken[0].metadata.perceptualHash?.count == 16)
      #expect(taken[1].metadata.nearDuplicateOf == taken[0].photo.itemID)
      #expect(try #require(taken[1].metadata.nearDuplicateDistance) <= 2)
      #expect(taken[1].photo.nearDuplicateOf == taken[0].photo.itemID)
      #expect(taken[2].metadata.nearDuplicateOf != nil)
      #expect(Set(taken.map(\.photo.itemID)).count == 3)

      // After a restart, the pictures from before are still known.
      let later = try await take([1], in: directory, duplicates)
      #expect(try #require(later.first).metadata.nearDuplicateOf != nil)
      // The window counts pictures.
      duplicates.window = 0
      let blind = try #require(try await take([1], in: directory, duplicates).first)
      #expect(blind.metadata.nearDuplicateOf == nil)
      #expect(blind.metadata.perceptualHash == nil)
    }
  }
}
