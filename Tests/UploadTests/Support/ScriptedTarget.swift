import Synchronization

@testable import Upload

/// A target that delivers at once, or fails, or waits until a test lets it continue.
final class ScriptedTarget: UploadTarget {
  private struct State {
    var failures: [String: [DeliveryFailure]] = [:]
    var gates: [String: AsyncStream<Void>] = [:]
    var gateKeepers: [String: AsyncStream<Void>.Continuation] = [:]
    var begun: [PendingDelivery] = []
    var journals: [String: any DeliveryJournal] = [:]
    var sha256: String?
    var verification = Receipt.Verification.readBack
  }
  private let state = Mutex(State())

  let description = "scripted"
  private let begins: AsyncStream<String>
  private let beginning: AsyncStream<String>.Continuation

  init() { (begins, beginning) = AsyncStream.makeStream(bufferingPolicy: .unbounded) }

  /// Waits until a delivery of an item has reached the target.
  func untilBegun(_ id: String) async { for await begun in begins where begun == id { return } }

  /// The items that were to be delivered, in order, by ID.
  var delivered: [String] { state.withLock { $0.begun.map(\.id) } }
  /// The items that were to be delivered, in order.
  var begun: [PendingDelivery] { state.withLock { $0.begun } }

  /// Lets the next deliveries of an item fail.
  func fail(_ id: String, _ failures: DeliveryFailure...) {
    state.withLock { $0.failures[id] = failures }
  }

  /// Lets deliveries of an item wait.
  func block(_ id: String) {
    let (gate, keeper) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .unbounded)
    state.withLock { state in
      state.gates[id] = gate
      state.gateKeepers[id] = keeper
    }
  }

  /// Lets one delivery of an item continue.
  func unblock(_ id: String) { _ = state.withLock { $0.gateKeepers[id] }?.yield() }

  /// Gives receipts for other bytes.
  func receiveOther() { state.withLock { $0.sha256 = "ff" } }

  /// Gives receipts that only say that the server answered.
  func receiveByStatus() { state.withLock { $0.verification = .statusOnly } }

  /// Returns the journal of the last delivery of an item.
  func journal(of id: String) -> (any DeliveryJournal)? { state.withLock { $0.journals[id] } }

  func receipt(_ id: String) -> Receipt { .test(.test(id)) }

  func deliver(
    _ delivery: PendingDelivery, journal: any DeliveryJournal
  ) async throws(DeliveryFailure) -> Receipt {
    let (failure, gate, sha256, verification) = state.withLock { state in
      state.begun.append(delivery)
      state.journals[delivery.id] = journal
      let failures = state.failures[delivery.id] ?? []
      state.failures[delivery.id] = Array(failures.dropFirst())
      return (failures.first, state.gates[delivery.id], state.sha256, state.verification)
    }
    beginning.yield(delivery.id)
    if let gate {
      var isOpen = false
      for await _ in gate {
        isOpen = true
        break
      }
      guard isOpen else {
        throw DeliveryFailure(.cancelled, scope: .target, text: "cancelled")
      }
    }
    if let failure { throw failure }
    var receipt = Receipt.test(delivery)
    if let sha256 { receipt.sha256 = sha256 }
    receipt.verification = verification
    return receipt
  }
}
