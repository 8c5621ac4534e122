import Capture
import Imaging
import SimulatedDevices
import Spool
import Testing

@testable import Service

/// Pictures that look nearly the same, from the press to the sidecar.
@Suite(.timeLimit(.minutes(10))) struct NearDuplicateTests {
  private let scratch = ScratchSpool()

  /// Takes pictures of a page and returns the stored items in the same order.
  private func take(
    _ count: Int, _ duplicates: NearDuplicates.Configuration
  ) async throws -> [(photo: StoredPhoto, metadata: ItemMetadata)] {
    let bench = try await PipelineBench(scratch, duplicates: duplicates)
    bench.world.showPage(1)
    var taken: [(StoredPhoto, ItemMetadata)] = []
    for _ in 0..<count {
      let number = try await bench.pressAhead()
      let item = try #require(try await bench.stored(number))
      if case .stored(let photo)? = await bench.session.outcome(of: number)?.outcome {
        taken.append((photo, item.metadata))
      }
    }
    await bench.stop()
    return taken
  }

  @Test func `a near duplicate is marked and still stored`() async throws {
    var duplicates = NearDuplicates.Configuration()
    duplicates.threshold = 2
    let taken = try await take(3, duplicates)
    try #require(taken.count == 3)
    #expect(taken[0].metadata.nearDuplicateOf == nil)
    #expect(taken[0].metadata.perceptualHash?.count == 16)
    #expect(taken[1].metadata.nearDuplicateOf == taken[0].photo.itemID)
    #expect(try #require(taken[1].metadata.nearDuplicateDistance) <= 2)
    #expect(taken[1].photo.nearDuplicateOf == taken[0].photo.itemID)
    #expect(taken[2].metadata.nearDuplicateOf != nil)
    #expect(Set(taken.map(\.photo.itemID)).count == 3)

    // After a restart, the pictures from before are still known.
    let later = try await take(1, duplicates)
    #expect(try #require(later.first).metadata.nearDuplicateOf != nil)
    // The window counts pictures.
    duplicates.window = 0
    let blind = try #require(try await take(1, duplicates).first)
    #expect(blind.metadata.nearDuplicateOf == nil)
    #expect(blind.metadata.perceptualHash == nil)
  }
}
