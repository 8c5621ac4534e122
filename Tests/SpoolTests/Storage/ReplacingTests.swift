import Foundation
import Testing

@testable import Spool

/// The picture that a new picture replaces.
struct ReplacingTests {
  let directory = TestDirectory()

  @Test func `The first press with a picture is replaced`() async throws {
    let spool = try await Spool.open(
      directory.configuration(), environment: SpoolEnvironment())
    let page = try await spool.store(.sample(1))
    _ = try await spool.store(.sample(2))
    #expect(page.replacedItemID == nil)
    var retake = NewItem.sample(4)
    retake.replacing = [3, 1, 2]
    let stored = try await spool.store(retake)
    #expect(stored.replacedItemID == page.id)
    let expected = page.id.description
    #expect(try await spool.item(stored.id)?.metadata.replacedItemID == expected)
    let bytes = try #require(content(stored.path.replacing(".jpg", with: ".json")))
    #expect(Sidecar.decode(bytes, id: stored.id)?.metadata.replacedItemID == expected)

    retake.replacing = [3, 17]
    let none = try await spool.store(retake)
    #expect(none.replacedItemID == nil)
    #expect(try await spool.item(none.id)?.metadata.replacedItemID == nil)
    // Metadata that name the picture themselves stay.
    retake.replacing = []
    retake.metadata.replacedItemID = expected
    let named = try await spool.store(retake)
    #expect(named.replacedItemID == page.id)
    await spool.close()
  }

  @Test func `A picture that only the ledger knows is replaced`() async throws {
    let spool = try await Spool.open(
      directory.configuration(), environment: SpoolEnvironment())
    let gone = ItemID(boot: 1, sequence: 77, random: 5)
    spool.enter(PressEntry.sample(5, .stored([gone])))
    var retake = NewItem.sample(6)
    retake.replacing = [5]
    // The entry waits at first, and is written with the first picture.
    for _ in 0..<2 {
      let stored = try await spool.store(retake)
      #expect(stored.replacedItemID == gone)
    }
    await spool.close()
  }
}
