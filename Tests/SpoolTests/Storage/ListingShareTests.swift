import TestSupport
import Testing

@testable import Spool

/// Thirty listings of 100,000 pictures at a time, and the pictures that come meanwhile.
@Suite(.timeLimit(.minutes(10))) struct ListingShareTests {
  /// The listings that a person can ask for.
  enum Listing: CaseIterable {
    case all, parked, waiting, ofPresses

    func page(of spool: Spool, before: Int64?) async throws -> [ItemRecord] {
      let limit = 10 * Spool.slice
      return switch self {
      case .all: try await spool.items(limit: limit, before: before)
      case .parked: try await spool.items(state: .parked, limit: limit, before: before)
      case .waiting: try await spool.waitingItems(limit: limit, before: before)
      case .ofPresses:
        // A listing of presses looks up the pictures that it knows by their IDs.
        try await spool.items(
          try await spool.items(limit: limit, before: before).map(\.id)
        ).values.sorted { $0.sequence > $1.sequence }
      }
    }
  }

  private static let listings = 30
  private static let pictures = Repetitions.of(100_000)

  private let directory = TestDirectory()

  /// A slice counts its pictures by their deliveries, which one statement reads for each.
  @Test(arguments: Listing.allCases)
  func `A picture waits for at most one slice of all listings`(listing: Listing) async throws {
    let spool = try await directory.open()
    await spool.adoption?.value
    try await spool.fill(waiting: Self.pictures, parkedEvery: 2)
    let read = Mutexed<[UInt64: Int]>([:])
    try await spool.trace { [weak spool] sql in
      guard sql.contains("FROM delivery WHERE item"), let call = spool?.runningCall else { return }
      read.change { $0[call, default: 0] += 1 }
    }
    let begun = Mutexed(0)
    let isEnough = Mutexed(false)
    var waits: [Int] = []
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<Self.listings {
        group.addTask {
          var before: Int64?
          var isFirst = true
          while !isEnough.value, !Task.isCancelled {
            let page = try await listing.page(of: spool, before: before)
            before = page.last?.sequence
            if isFirst { begun.change { $0 += 1 } }
            isFirst = false
          }
        }
      }
      try await eventually { begun.value == Self.listings }
      for number in 1...5 { waits.append(try await spool.callsBeforeStoring(.sample(number))) }
      isEnough.change { $0 = true }
      try await group.waitForAll()
    }
    try await spool.trace(nil)
    let slices = read.value
    #expect(slices.values.max() == Spool.slice)
    #expect(slices.count >= 10 * Self.listings)
    #expect(waits.allSatisfy { $0 <= 1 }, "calls before each store: \(waits)")
    #expect(try await spool.counts().stored == Self.pictures / 2 + 5)
    await spool.close()
  }
}

extension Spool {
  fileprivate func trace(_ note: (@Sendable (String) -> Void)?) throws {
    try look { storage throws(SpoolError) in try storage.index.trace(note) }
  }
}
