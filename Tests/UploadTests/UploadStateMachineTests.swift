import Testing

@testable import Upload

@Suite struct UploadStateMachineTests {
  private typealias Machine = UploadStateMachine

  private func delivery(_ id: String) -> PendingDelivery {
    PendingDelivery(
      id: id, path: "", byteCount: 1, sha256: "", remoteName: id, contentType: "")
  }
  private func receipt() -> Receipt {
    Receipt(
      url: "", remoteName: "", sha256: "", verification: .readBack, status: 201, entityTag: nil,
      isDuplicate: false, wallNanoseconds: 0)
  }
  private let itemFault = DeliveryFailure(.conflict, scope: .item, text: "conflict")
  private let targetFault = DeliveryFailure(.serverError, scope: .target, text: "500")

  @Test func anEmptyQueueWaitsForAnArrival() {
    var machine = Machine(policy: RetryPolicy())
    #expect(machine.begin(at: .zero) == .fetch(excluding: []))
    #expect(machine.fetched(nil) == .wait(until: nil, orArrival: true))
  }

  @Test func aReceiptIsCommittedBeforeAnythingElse() {
    var machine = Machine(policy: RetryPolicy())
    #expect(machine.fetched(delivery("a")) == .deliver(delivery("a")))
    let commit = Machine.Action.commit(id: "a", receipt())
    #expect(machine.delivered("a", receipt(), at: .zero, random: 1) == commit)
    #expect(machine.queueFailed("full", at: .zero, random: 1) == .seconds(1))
    #expect(machine.begin(at: .seconds(0.5)) == .wait(until: .seconds(1), orArrival: false))
    #expect(machine.begin(at: .seconds(1)) == commit)
    machine.committed("a")
    #expect(machine.begin(at: .seconds(1)) == .fetch(excluding: []))
  }

  @Test func anItemsFaultLetsTheOthersPass() {
    var machine = Machine(policy: RetryPolicy())
    #expect(machine.failed("a", itemFault, at: .zero, random: 1) == .seconds(1))
    #expect(machine.begin(at: .zero) == .fetch(excluding: ["a"]))
    #expect(machine.pause(at: .zero) == nil)
    #expect(machine.fetched(nil) == .wait(until: .seconds(1), orArrival: true))
    #expect(machine.begin(at: .seconds(1)) == .fetch(excluding: []))
    #expect(machine.failed("a", itemFault, at: .seconds(1), random: 1) == .seconds(2))
    #expect(machine.begin(at: .seconds(2)) == .fetch(excluding: ["a"]))
    #expect(machine.begin(at: .seconds(3)) == .fetch(excluding: []))
  }

  @Test func anItemWhoseTurnComesDuringAFetchIsNotForgotten() {
    var machine = Machine(policy: RetryPolicy())
    _ = machine.failed("a", itemFault, at: .zero, random: 1)
    #expect(machine.begin(at: .seconds(0.9)) == .fetch(excluding: ["a"]))
    // However long the queue takes, it had to leave "a" out.
    #expect(machine.fetched(nil) == .wait(until: .seconds(1), orArrival: true))
  }

  @Test func aTargetsFaultMakesEverythingWait() {
    var machine = Machine(policy: RetryPolicy())
    #expect(machine.failed("a", targetFault, at: .zero, random: 1) == .seconds(1))
    #expect(machine.begin(at: .zero) == .wait(until: .seconds(1), orArrival: false))
    // The probe is with another item, and with the same one when there is none.
    #expect(machine.begin(at: .seconds(1)) == .fetch(excluding: ["a"]))
    #expect(machine.fetched(nil) == .fetch(excluding: []))
    #expect(machine.failed("a", targetFault, at: .seconds(1), random: 1) == .seconds(2))
    #expect(machine.begin(at: .seconds(3)) == .fetch(excluding: ["a"]))
    // The other item fails too: it is the target, and the oldest has its turn again.
    #expect(machine.failed("b", targetFault, at: .seconds(3), random: 1) == .seconds(4))
    #expect(machine.begin(at: .seconds(7)) == .fetch(excluding: []))
  }

  @Test func anItemThatBreaksTheServerDoesNotHoldUpTheOthers() {
    var machine = Machine(policy: RetryPolicy())
    _ = machine.failed("a", targetFault, at: .zero, random: 1)
    _ = machine.begin(at: .seconds(1))
    _ = machine.delivered("b", receipt(), at: .seconds(1), random: 1)
    machine.committed("b")
    #expect(machine.begin(at: .seconds(1)) == .fetch(excluding: ["a"]))
    #expect(machine.begin(at: .seconds(2)) == .fetch(excluding: []))
    // Its waits grow, although the target's are short because it works.
    #expect(machine.failed("a", targetFault, at: .seconds(2), random: 1) == .seconds(1))
    _ = machine.delivered("c", receipt(), at: .seconds(3), random: 1)
    machine.committed("c")
    #expect(machine.begin(at: .seconds(4.9)) == .fetch(excluding: ["a"]))
    #expect(machine.begin(at: .seconds(5)) == .fetch(excluding: []))
  }

  @Test func aSuccessForgetsTheFailures() {
    var machine = Machine(policy: RetryPolicy())
    for _ in 0..<5 { _ = machine.failed("a", targetFault, at: .zero, random: 1) }
    _ = machine.delivered("a", receipt(), at: .seconds(100), random: 1)
    machine.committed("a")
    #expect(machine.failed("b", targetFault, at: .seconds(100), random: 1) == .seconds(1))
  }

  @Test func somebodyWhoKnowsCanEndAllWaits() {
    var machine = Machine(policy: RetryPolicy())
    _ = machine.failed("a", itemFault, at: .seconds(5), random: 1)
    _ = machine.failed("b", targetFault, at: .seconds(5), random: 1)
    machine.retryNow()
    #expect(machine.begin(at: .seconds(5)) == .fetch(excluding: ["b"]))
  }

  /// Plays random worlds: some items are poison, the target is down at times, the queue fails.
  @Test func everyGoodItemIsDeliveredOnceWhateverHappens() {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SplitMix(state: seed)
    for _ in 0..<200 {
      var waiting = (0..<8).map { "item\($0)" }
      let poison = Set(waiting.filter { _ in Int.random(in: 0..<4, using: &random) == 0 })
      var machine = Machine(policy: RetryPolicy())
      var now: Duration = .zero
      var committed: [String] = []
      var steps = 0
      var action = machine.begin(at: now)
      while waiting.count > poison.count {
        steps += 1
        guard steps < 5000 else {
          Issue.record("no end, seed \(seed)")
          return
        }
        let isDown = now > .seconds(10) && now < .seconds(60)
        switch action {
        case .fetch(let excluded):
          action = machine.fetched(waiting.first { !excluded.contains($0) }.map(delivery))
        case .deliver(let delivery):
          now += .milliseconds(100)
          let fraction = Double.random(in: 0...1, using: &random)
          if isDown || poison.contains(delivery.id) {
            let isItem = !isDown && Bool.random(using: &random)
            _ = machine.failed(
              delivery.id, isItem ? itemFault : targetFault, at: now, random: fraction)
            action = machine.begin(at: now)
          } else {
            action = machine.delivered(delivery.id, receipt(), at: now, random: fraction)
          }
        case .commit(let id, _):
          if Int.random(in: 0..<5, using: &random) == 0 {
            _ = machine.queueFailed("full", at: now, random: 0.5)
          } else {
            committed.append(id)
            waiting.removeAll { $0 == id }
            machine.committed(id)
          }
          action = machine.begin(at: now)
        case .wait(let end, _):
          guard let end else {
            Issue.record("waits for ever with \(waiting), seed \(seed)")
            return
          }
          now = max(now, end)
          action = machine.begin(at: now)
        }
      }
      #expect(Set(committed).count == committed.count, "seed \(seed)")
      #expect(now < .seconds(3600), "seed \(seed)")
    }
  }
}
