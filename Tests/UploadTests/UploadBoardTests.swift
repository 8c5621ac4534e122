import Testing

@testable import Upload

@Suite struct UploadBoardTests {
  /// Deliveries on threads of their own, as many as the pool has, while others read the status.
  @Test func `deliveries that run beside each other and their readers see whole states`() async {
    let board = UploadBoard { .zero }
    let count = 64
    await withDiscardingTaskGroup { group in
      for number in 0..<count {
        group.addTask {
          let id = "item-\(number)"
          board.began(.test(id))
          for sent in 1...20 { board.note(DeliveryProgress(bytesSent: Int64(sent)), of: id) }
          if number.isMultiple(of: 2) {
            let failure = DeliveryFailure(.timedOut, scope: .target, text: "no answer")
            board.failed(id, failure, attempts: 1, .parked)
          }
          board.ended(id)
        }
        group.addTask {
          for delivery in board.status.deliveries {
            #expect(delivery.id == delivery.remoteName)
            #expect((0...20).contains(delivery.progress.bytesSent ?? 0))
          }
        }
      }
    }
    let status = board.status
    #expect(status.deliveries.isEmpty)
    #expect(status.counters.failures == count / 2)
  }
}
