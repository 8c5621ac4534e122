import Upload

/// A target that waits for an answer from the test for each delivery.
struct AnsweringTarget: UploadTarget {
  enum Answer: Sendable {
    case take
    case refuse(Upload.DeliveryFailure)
  }

  let description = "scripted"
  private let answers: AsyncStream<Answer>
  private let continuation: AsyncStream<Answer>.Continuation

  init() { (answers, continuation) = AsyncStream.makeStream() }

  func answer(_ answer: Answer) { continuation.yield(answer) }

  func deliver(
    _ delivery: PendingDelivery, journal: any DeliveryJournal
  ) async throws(Upload.DeliveryFailure) -> Upload.Receipt {
    for await answer in answers {
      switch answer {
      case .take: return .sample(delivery)
      case .refuse(let failure): throw failure
      }
    }
    throw Upload.DeliveryFailure(.cancelled, scope: .target, text: "the service is ending")
  }
}
