import Capture
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct PressNumbersTests {
  @Test(arguments: [1, 2, 3, 8, 64])
  func `numbers ascend without repetition over blocks`(_ blockSize: Int) async throws {
    let reservations = Reservations()
    let numbers = PressNumbers(blockSize: blockSize) { try await reservations.reserve($0) }
    var taken: [Int64] = []
    for _ in 0..<(5 * blockSize + 1) { taken.append(try await numbers.next()) }
    #expect(taken == Array(1...Int64(5 * blockSize + 1)))
    #expect(await reservations.sizes.allSatisfy { $0 == blockSize })
  }

  @Test func `preparation reserves once before the first press`() async throws {
    let reservations = Reservations()
    await reservations.hold()
    let numbers = PressNumbers(blockSize: 64) { try await reservations.reserve($0) }
    numbers.prepare()
    numbers.prepare()
    await reservations.untilBegun(1)
    async let first = numbers.next()
    await settle()
    await reservations.letGo()
    #expect(try await first == 1)
    numbers.prepare()
    await settle()
    #expect(await reservations.sizes == [64])
  }

  @Test func `a refill begins at half a block and no press waits for it`() async throws {
    let reservations = Reservations()
    let numbers = PressNumbers(blockSize: 8) { try await reservations.reserve($0) }
    for expected in 1...3 as ClosedRange<Int64> { #expect(try await numbers.next() == expected) }
    await settle()
    #expect(await reservations.sizes == [8], "five of eight are left, more than half")
    await reservations.hold()
    #expect(try await numbers.next() == 4)
    await reservations.untilBegun(2)
    // The disk does not answer, but the rest of the block is still given out.
    for expected in 5...8 as ClosedRange<Int64> { #expect(try await numbers.next() == expected) }
    #expect(await reservations.sizes == [8, 8], "one refill at a time")
    async let ninth = numbers.next()
    await settle()
    await reservations.letGo()
    #expect(try await ninth == 9)
  }

  @Test func `a failing reservation throws and the next call retries`() async throws {
    let reservations = Reservations()
    let numbers = PressNumbers(blockSize: 4) { try await reservations.reserve($0) }
    await reservations.refuse(2)
    for _ in 0..<2 {
      await #expect(throws: NoNumber.self) { try await numbers.next() }
    }
    #expect(try await numbers.next() == 1)
    #expect(await reservations.sizes.count == 3)
  }

  @Test func `a failing background refill costs no press with a number`() async throws {
    let reservations = Reservations()
    let numbers = PressNumbers(blockSize: 4) { try await reservations.reserve($0) }
    #expect(try await numbers.next() == 1)
    await reservations.refuse(.max)
    for expected in 2...4 as ClosedRange<Int64> { #expect(try await numbers.next() == expected) }
    await #expect(throws: NoNumber.self) { try await numbers.next() }
    await reservations.refuse(0)
    #expect(try await numbers.next() == 5)
  }

  /// No number is given out twice, for any block size and any refusals of the disk.
  @Test(arguments: 1...12 as ClosedRange<UInt64>)
  func `concurrent presses get different numbers`(seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    let blockSize = Int.random(in: 1...9, using: &random)
    let reservations = Reservations(refusingEvery: Int.random(in: 2...6, using: &random))
    let numbers = PressNumbers(blockSize: blockSize) { try await reservations.reserve($0) }
    let taken = try await withThrowingTaskGroup(of: Int64.self) { group in
      for _ in 0..<300 {
        group.addTask {
          // Each refusal fails the presses that wait for it, so that a few tries are enough.
          for _ in 0..<1000 {
            do { return try await numbers.next() } catch { await Task.yield() }
          }
          return try await numbers.next()
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(taken.count == 300)
    #expect(Set(taken).count == 300, "seed \(seed)")
    let reserved = await reservations.given
    #expect(taken.allSatisfy { (1...reserved).contains($0) }, "seed \(seed)")
  }

  /// Yields so often that every task that can go on does so.
  private func settle() async {
    for _ in 0..<200 { await Task.yield() }
  }
}

/// A source of reservations, like a spool, that may be slow or refuse.
private actor Reservations {
  /// The sizes of the reservations that have begun.
  private(set) var sizes: [Int] = []
  /// The number of press numbers given out so far.
  private(set) var given: Int64 = 0
  private let refusingEvery: Int?
  private var refusals = 0
  private var isHolding = false
  private var held: [CheckedContinuation<Void, Never>] = []
  private var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []

  init(refusingEvery: Int? = nil) { self.refusingEvery = refusingEvery }

  func hold() { isHolding = true }

  func letGo() {
    isHolding = false
    for continuation in held { continuation.resume() }
    held = []
  }

  /// Refuses the next reservations.
  func refuse(_ count: Int) { refusals = count }

  /// Waits until so many reservations have begun.
  func untilBegun(_ count: Int) async {
    guard sizes.count < count else { return }
    await withCheckedContinuation { watchers.append((count, $0)) }
  }

  func reserve(_ count: Int) async throws -> Range<Int64> {
    sizes.append(count)
    for watcher in watchers where watcher.count <= sizes.count { watcher.continuation.resume() }
    watchers.removeAll { $0.count <= sizes.count }
    if isHolding { await withCheckedContinuation { held.append($0) } }
    if let refusingEvery, sizes.count.isMultiple(of: refusingEvery) { throw NoNumber() }
    if refusals > 0 {
      refusals -= 1
      throw NoNumber()
    }
    defer { given += Int64(count) }
    return (given + 1)..<(given + 1 + Int64(count))
  }
}
